"""The verdicts of the last run are taken only if nothing that they rest on has changed."""

import json
from dataclasses import replace

import pytest
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.verdict import KERNEL, NONE, RECORDED, WHOLE, StepResult, Verdict

from panshuffle import last_run
from panshuffle.main import main

KNOWN = statements()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "panshuffle"


def run_of_all(**changed):
    found = StepResult("says", "smt", "x > 1", "proved", "two SMT solvers", None)
    verdict = Verdict("", "proved", WHOLE, "two SMT solvers", RECORDED, None, (found,), premises=("markov",))
    return {slug: replace(verdict, slug=slug, **changed) for slug in KNOWN}


def test_what_is_kept_comes_back():
    assert last_run.kept(KNOWN) is None
    last_run.keep(run_of_all())
    assert last_run.kept(KNOWN) == run_of_all()


def test_what_coq_checked_in_another_run_is_recorded_in_this_one():
    last_run.keep(run_of_all(kernel=KERNEL))
    assert {verdict.kernel for verdict in last_run.kept(KNOWN).values()} == {RECORDED}


@pytest.mark.parametrize("change", ["files", "version"])
def test_a_change_of_the_sources_or_of_a_prover_leaves_nothing(monkeypatch, change):
    last_run.keep(run_of_all())
    if change == "files":
        monkeypatch.setattr(last_run, "now", lambda: {"proofs/section_1.py": "another digest"})
    else:
        monkeypatch.setattr(last_run, "version", lambda name: "another version")
    assert last_run.kept(KNOWN) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '[{"slug": "markov"}]', '{"slug": 1}'])
def test_a_damaged_file_is_no_run(folder, text):
    last_run.keep(run_of_all())
    (path,) = folder.glob("verdicts-*.json")
    path.write_text(text, encoding="utf-8")
    assert last_run.kept(KNOWN) is None


def test_a_run_of_other_statements_is_not_taken():
    last_run.keep({"markov": run_of_all()["markov"]})
    assert last_run.kept(KNOWN) is None


def test_old_runs_go(folder, monkeypatch):
    for number in range(5):
        monkeypatch.setattr(last_run, "now", lambda number=number: {"file": f"{number}"})
        last_run.keep(run_of_all())
    assert len(list(folder.glob("verdicts-*.json"))) == last_run.NEWEST


def test_a_folder_that_cannot_be_written_is_no_error(folder):
    folder.write_text("a file", encoding="utf-8")
    last_run.keep(run_of_all())
    assert last_run.kept(KNOWN) is None


def errata(capsys, *options):
    """The rows of `panshuffle errata`."""
    with pytest.raises(SystemExit, match="0"):
        main(["errata", "--format", "json", "--conventions", *options])
    return json.loads(capsys.readouterr().out)


def test_errata_take_the_last_run_and_anew_does_not(monkeypatch, capsys):
    wrong = {slug: replace(one, verdict="repaired", here=NONE) for slug, one in run_of_all().items()}
    last_run.keep({**run_of_all(), "hash-collisions": replace(wrong["hash-collisions"], witness="the last run's")})
    monkeypatch.setattr(last_run, "check_ledger", lambda slugs, advance: wrong)
    (entry,) = errata(capsys)
    assert entry["witness"] == "the last run's"
    assert len(errata(capsys, "--anew")) > 1
