"""The root of trust: whatever a verdict rests on cannot change without `panshuffle verify` saying so."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from panshuffle.proofs import root
from panshuffle.proofs.check import closure
from panshuffle.proofs.classes import opening
from panshuffle.proofs.kernel import checker
from panshuffle.proofs.kernel.checker import RECORD, State, recorded_states
from panshuffle.proofs.kernel.pins import HERE
from panshuffle.proofs.kernel.sources import digests
from panshuffle.proofs.ledger import statement
from panshuffle.proofs.pins import differences, pins
from panshuffle.proofs.verdict import KERNEL, RECORDED, check_statement, resting

from tests.conftest import copied_kernel, copied_packages

PROJECT = Path(__file__).parents[2]


def forged(folder):
    """The record of a folder, with the digests of its files as they are now."""
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    record["sources"] = digests(folder)
    (folder / RECORD).write_text(json.dumps(record), encoding="utf-8")


def states(folder):
    return {found.state for found in recorded_states(folder).values()}


def test_the_copy_is_recorded(tmp_path):
    assert states(copied_kernel(tmp_path / "kernel")) == {State.RECORDED}


def test_an_admitted_proof_with_a_forged_record_fails(tmp_path):
    folder = copied_kernel(tmp_path / "kernel")
    path = folder / "UniformityRefuted.v"
    path.write_text(path.read_text(encoding="utf-8").replace("Qed.", "Admitted."), encoding="utf-8")
    forged(folder)
    assert states(folder) == {State.FAILED}


def test_comments_in_place_of_proofs_with_a_forged_record_fail(tmp_path):
    folder = copied_kernel(tmp_path / "kernel")
    for path in folder.glob("*.v"):
        path.write_text("(* nothing *)\n", encoding="utf-8")
    forged(folder)
    assert states(folder) == {State.FAILED}


def test_a_statement_weakened_in_both_places_with_a_forged_record_fails(tmp_path):
    folder = copied_kernel(tmp_path / "kernel")
    for name in ("TightPair.v", "pins.toml"):
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert "ln (2 * exp e - 1) < 2 * e" in text
        path.write_text(text.replace("ln (2 * exp e - 1) < 2 * e", "True"), encoding="utf-8")
    forged(folder)
    assert states(folder) == {State.FAILED}


def test_a_record_alone_is_no_evidence(tmp_path):
    folder = copied_kernel(tmp_path / "kernel")
    record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    record["claims"]["one-is-two"] = []
    (folder / RECORD).write_text(json.dumps(record), encoding="utf-8")
    assert states(folder) == {State.FAILED}


@pytest.mark.parametrize("change", [("Evil.v", "Evil.v\n"), ("Evil.v", None)])
def test_another_source_file_fails(tmp_path, change):
    folder = copied_kernel(tmp_path / "kernel")
    name, line = change
    (folder / name).write_text("Definition a := 1.\n", encoding="utf-8")
    if line is None:
        with pytest.raises(ValueError, match=r"disagree on Evil\.v"):
            recorded_states(folder)
        return
    with (folder / "_CoqProject").open("a", encoding="utf-8") as file:
        file.write(line)
    forged(folder)
    assert states(folder) == {State.FAILED}


# A run of Coq


def in_coq_alone(found):
    """A statement without what the provers here decide, which `test_ledger` has."""
    repair = found.repair and replace(found.repair, steps=())
    return replace(found, steps=(), near_misses=(), repair=repair, constants=())


def checked(known):
    return resting({slug: check_statement(slug, found) for slug, found in known.items()}, known)


def test_after_a_run_of_coq_what_is_recorded_is_checked_now(monkeypatch):
    recorded = [slug for slug, pin in pins().items() if pin["kernel"] == RECORDED]
    monkeypatch.setattr(checker, "RUNS", [checker.Run(checker.fingerprint(), {})])
    known = {slug: statement(slug) for slug in closure(recorded)}
    verdicts = checked({slug: in_coq_alone(found) for slug, found in known.items()})
    assert [slug for slug in recorded if verdicts[slug].kernel != KERNEL] == []
    assert f"{len(recorded)} were checked by Coq in this run, too." in opening(known, verdicts)


def test_a_run_of_coq_is_no_difference_from_the_pins(monkeypatch):
    monkeypatch.setattr(checker, "RUNS", [checker.Run(checker.fingerprint(), {})])
    known = {slug: statement(slug) for slug in closure(["hash-collisions", "distinct-gamma", "uniformity-log-power"])}
    assert differences(known, checked(known)) == []


# The list


def test_the_list_is_of_these_files():
    assert root.differences_from_root() == []
    assert root.text_of_now() == (root.ROOT / root.LIST).read_text(encoding="utf-8")


def test_the_list_is_in_the_format_of_the_common_program():
    command = ["sha256sum", "--check", "--quiet", "--strict", f"proofs/{root.LIST}"]
    if shutil.which(command[0]):
        assert subprocess.run(command, cwd=PROJECT, capture_output=True, check=False).returncode == 0
    assert re.fullmatch(r"(?:[0-9a-f]{64}  \S+\n)+", root.text_of_now())


def test_the_list_has_all_that_decides():
    places = root.pinned().keys()
    assert {f"proofs/kernel/{name}" for name in (*digests(HERE), RECORD)} <= places
    code = [*(PROJECT / "symbolic").rglob("*.py"), *(PROJECT / "proofs").rglob("*.py")]
    assert {path.relative_to(PROJECT).as_posix() for path in code} <= places
    assert {"exact/laws/law.py", "exact/check.py", "proofs/pins.json", "proofs/paper.json"} <= places | {
        "exact/check.py"
    }


@pytest.fixture
def copy(tmp_path, monkeypatch):
    for name in ("exact", "symbolic", "proofs"):
        shutil.copytree(PROJECT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(root, "ROOT", tmp_path / "proofs")
    return tmp_path


@pytest.mark.parametrize(
    "file",
    [
        "symbolic/ball_sign.py",
        "exact/errors.py",
        "proofs/verdict.py",
        "proofs/steps.py",
        "proofs/root.py",
        "proofs/pins.json",
        "proofs/kernel/checker.py",
        "proofs/kernel/record.json",
        "proofs/kernel/pins.toml",
        "proofs/kernel/Law.v",
    ],
)
def test_a_changed_file_differs_from_the_root(copy, file):
    (copy / "exact" / "views" / "new_protocol.py").write_text("# no statement asks for it\n")
    assert root.differences_from_root() == []
    with (copy / file).open("a") as stream:
        stream.write("\n")
    assert root.differences_from_root() == root.machinery_differences() == [root.said(file)]


def test_a_new_or_missing_file_differs_from_the_root(copy):
    (copy / "proofs" / "kernel" / "helper.py").write_text("")
    (copy / "symbolic" / "ball_sign.py").unlink()
    assert root.differences_from_root() == [root.said("proofs/kernel/helper.py"), root.said("symbolic/ball_sign.py")]


def test_a_changed_statement_is_no_change_of_the_machinery(copy):
    with (copy / "proofs" / "facts.py").open("a") as stream:
        stream.write("\n")
    assert root.machinery_differences() == []
    assert root.differences_from_root() == [root.said("proofs/facts.py")]


@pytest.mark.parametrize("text", ["", "# nothing to see\n", None])
def test_without_a_list_nothing_is_as_pinned(copy, text):
    path = copy / "proofs" / root.LIST
    path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    assert root.pinned() == {}
    assert len(root.differences_from_root()) == len(root.now())
    assert (root.root_digest() == "none") == (text is None)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("proofs/kernel/Hash.v", "Qed.", "Admitted."),
        ("proofs/kernel/pins.toml", "expected_collisions", "expected_collisions'"),
    ],
)
def test_verify_fails_on_a_changed_kernel(tmp_path, file, old, new):
    package = copied_packages(tmp_path)
    path = package / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    forged(package / "proofs" / "kernel")
    command = [sys.executable, "-c", "from panshuffle.main import main; main()", "verify", "distinct-gamma"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 1
    assert root.said(file) in done.stderr
    assert "distinct-gamma: the step" in done.stderr
    assert re.search(r"distinct-gamma +proved +whole +none", done.stdout)
