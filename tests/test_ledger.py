"""The ledger: it accounts for the whole paper, verdicts follow from evidence, and nothing can change unseen."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from panshuffle.main import main
from proofs import pins as pins_module
from proofs.errata import errata
from proofs.ledger import statements
from proofs.paper import items, read
from proofs.pins import differences, fingerprint, machinery_differences, pins
from proofs.statement import KINDS, Repair, Statement, Step
from proofs.verdict import TIERS, Verdict, check_statement, resting
from symbolic.answer import Answer, Status
from symbolic.budget import TooSlow

ROOT = Path(__file__).parent.parent
LEDGER = statements()
PROTOCOLS = {
    "binomial": "binomial-worst-neighbour",
    "binary-sum": "binary-sum-worst-neighbour",
    "modular-sum": "modular-sum-worst-neighbour",
    "distinct-elements": "distinct-elements-worst-neighbour",
    "hashed-distinct-elements": "hashed-distinct-elements-worst-neighbour",
    "uniformity": "uniformity-worst-neighbour",
    "compressed-uniformity": "compressed-uniformity-worst-neighbour",
    "pan-sum": "pan-sum-worst-neighbour",
    "pan-histogram": "pan-histogram-worst-neighbour",
    "shuffle-histogram": "shuffle-histogram-worst-neighbour",
    "pan-distinct-elements": "pan-distinct-elements-worst-neighbour",
    "pan-uniformity": "pan-uniformity-worst-neighbour",
    "randomized-or": "randomized-or-worst-neighbour",
    "two-bit-sum": "two-bit-sum-worst-neighbour",
    "geometric-distinct-elements": "geometric-worst-neighbour",
}
STRUCTURE = ("section",)


def test_every_environment_display_and_label_is_accounted_for():
    covered = {key for statement in LEDGER.values() for key in statement.covers}
    printed = {item.key for item in items() if item.kind not in STRUCTURE}
    assert printed == covered
    assert sum(item.kind not in (*STRUCTURE, "display", "figure") for item in items()) == 45
    labels = {statement.label for statement in LEDGER.values()} - {None}
    assert labels <= {item.key for item in items()}


def test_the_list_is_that_of_the_paper():
    """Compared with the LaTeX source where PANSHUFFLE_PAPER names it; the keys are distinct in any case."""
    found = items()
    for name in filter(None, [os.environ.get("PANSHUFFLE_PAPER")]):
        assert read(Path(name).read_text(encoding="utf-8")) == found
    labels = [item.key for item in found]
    assert len(set(labels)) == len(labels) == 123


def test_the_list_leaves_out_what_is_not_printed():
    source = r"""\begin{document} % \begin{lemma}\label{a}\end{lemma}
    \iffalse \begin{lemma}\label{b}\end{lemma} \fi \begin{lemma}\label{c} $$x$$ \end{lemma} \begin{claim}y\end{claim}"""
    assert [(item.key, item.kind) for item in read(source)] == [
        ("display-1", "display"),
        ("c", "lemma"),
        ("claim-1", "claim"),
    ]


def test_every_protocol_has_its_worst_neighbour_statement():
    from panshuffle.recipes import RECIPES

    assert PROTOCOLS.keys() == set(RECIPES)
    assert all(LEDGER[slug].kind == "worst neighbour" for slug in PROTOCOLS.values())


@pytest.mark.parametrize("slug", LEDGER)
def test_a_statement_is_whole(slug):
    statement = LEDGER[slug]
    assert statement.kind in KINDS and statement.where and statement.printed
    if statement.steps:
        assert len(statement.twins) >= 2
        assert len({twin.says for twin in statement.twins}) == len(statement.twins)
    else:
        assert statement.cited or statement.implementation
    if statement.repair:
        assert statement.why and statement.survives
    if statement.implementation:
        module, _, name = statement.implementation.rpartition(".")
        assert hasattr(import_module(module), name)


def test_pins_are_those_of_the_ledger():
    assert pins().keys() == LEDGER.keys()
    assert {slug: pin["fingerprint"] for slug, pin in pins().items()} == {
        slug: fingerprint(slug, statement) for slug, statement in LEDGER.items()
    }


def test_the_whole_ledger_comes_out_as_pinned(tmp_path):
    page = tmp_path / "errata.md"
    command = [sys.executable, "-m", "panshuffle", "verify", "--json", "--errata", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    answer = {row["slug"]: row for row in json.loads(done.stdout)}
    assert answer.keys() == LEDGER.keys()
    assert page.read_text(encoding="utf-8") == (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    for slug, row in answer.items():
        assert row["verdict"] in ("proved", "refuted", "repaired", "cited", "definition")
        assert all(twin["status"] == "refuted" and twin["witness"] for twin in row["twins"])
        if row["verdict"] in ("refuted", "repaired"):
            assert row["witness"] and row["repair"]
        if row["verdict"] in ("proved", "repaired"):
            assert row["tier"].removesuffix(" (recorded)") in TIERS
        if row["verdict"] == "cited":
            assert "cite" in LEDGER[slug].cited
    keys = {"slug", "label", "where", "printed", "verdict", "tier", "rests_on", "witness", "repair", "seconds"}
    assert all(keys <= row.keys() for row in answer.values())


def step(status, tier="exact rational computation"):
    return Step("says", "test", "text", lambda: Answer(status, tier, "here" if status is Status.REFUTED else None))


PROVED, REFUTED, UNDECIDED = step(Status.PROVED), step(Status.REFUTED), step(Status.UNDECIDED)


@pytest.mark.parametrize(
    ("steps", "repair", "verdict"),
    [
        ((PROVED,), None, "proved"),
        ((PROVED, PROVED), None, "proved"),
        ((PROVED, UNDECIDED), None, "open"),
        ((PROVED, REFUTED), None, "refuted"),
        ((UNDECIDED, REFUTED), None, "refuted"),
        ((REFUTED,), Repair("words only"), "refuted"),
        ((REFUTED,), Repair("checked", (PROVED,)), "repaired"),
        ((REFUTED,), Repair("undecided", (PROVED, UNDECIDED)), "refuted"),
        ((REFUTED,), Repair("wrong", (REFUTED,)), "refuted"),
        ((), None, "open"),
    ],
)
def test_verdicts_follow_from_steps(steps, repair, verdict):
    found = check_statement("x", Statement("", "lemma", "", steps=steps, repair=repair))
    assert found.verdict == verdict
    assert (found.witness == "here") == (verdict in ("refuted", "repaired"))


def test_a_prover_that_fails_leaves_the_statement_open():
    def explode():
        raise ZeroDivisionError("no")

    found = check_statement("x", Statement("", "lemma", "", steps=(Step("", "test", "", explode),)))
    assert found.verdict == "open"


def test_a_prover_without_an_answer_is_a_problem_and_no_evidence():
    def slow():
        raise TooSlow

    late = Step("a step", "test", "", slow)
    for steps, twins, verdict in (
        ((late,), (), "open"),
        ((PROVED,), (late,), "proved"),
        ((late, REFUTED), (), "refuted"),
    ):
        found = check_statement("x", Statement("", "lemma", "", steps=steps, twins=twins))
        assert found.verdict == verdict
        assert found.problem.startswith("'a step' has no answer: the machine was too slow")


def test_a_false_twin_that_is_not_refuted_is_a_problem():
    for twin in (PROVED, UNDECIDED):
        assert check_statement("x", Statement("", "lemma", "", steps=(PROVED,), twins=(REFUTED, twin))).problem
    assert not check_statement("x", Statement("", "lemma", "", steps=(PROVED,), twins=(REFUTED,))).problem


def settled(**ledger):
    own = {slug: check_statement(slug, statement) for slug, statement in ledger.items()}
    return resting(own, ledger)


def lemma(*steps, rests_on=(), **more):
    return Statement("", "lemma", "", steps=steps, rests_on=rests_on, **more)


def test_a_statement_is_as_strong_as_what_it_rests_on():
    found = settled(
        a=lemma(PROVED, rests_on=("b",)),
        b=lemma(step(Status.PROVED, "ball computation"), rests_on=("c",)),
        c=Statement("", "fact", "", cited="somebody"),
        d=lemma(PROVED, rests_on=("e",)),
        e=lemma(UNDECIDED),
        f=lemma(PROVED, rests_on=("g",)),
        g=lemma(REFUTED),
        h=lemma(PROVED, rests_on=("h2",)),
        h2=lemma(PROVED, rests_on=("h",)),
        i=lemma(PROVED, rests_on=("nothing",)),
    )
    assert {slug: verdict.verdict for slug, verdict in found.items()} == {
        "a": "proved", "b": "proved", "c": "cited", "d": "open", "e": "open",
        "f": "open", "g": "refuted", "h": "open", "h2": "open", "i": "open",
    }  # fmt: skip
    assert found["a"].tier == found["b"].tier == "cited"


@pytest.mark.parametrize(
    "change",
    [
        {"printed": "something else"},
        {"hypotheses": ("another hypothesis",)},
        {"covers": ()},
        {"rests_on": ()},
        {"label": "lem:other"},
        {"twins": ()},
        {"repair": Repair("another repair")},
    ],
)
def test_a_changed_statement_differs_from_its_pin(change):
    slug = "hashed-distinct-accuracy"
    verdict = Verdict(slug, pins()[slug]["verdict"], pins()[slug]["tier"], None, (), (), (), 0.0)
    assert differences(LEDGER, {slug: verdict}) == []
    changed = {slug: replace(LEDGER[slug], **change)}
    assert differences(changed, {slug: verdict}) == [f"{slug} differs from its pinned form"]


def test_another_verdict_differs_from_the_pin():
    verdict = Verdict("distinct-gamma", "open", "", None, (), (), (), 0.0)
    assert differences(LEDGER, {"distinct-gamma": verdict}) == ["distinct-gamma is open, but proved is pinned"]
    unknown = {"new": replace(verdict, slug="new")}
    assert differences({"new": LEDGER["markov"]}, unknown) == ["new is not pinned"]


@pytest.mark.parametrize(
    ("slug", "file", "old", "new"),
    [
        ("cantelli", "facts/cantelli.py", "v/(v + t^2)", "v/(v + 2*t^2)"),
        ("messages-for-all-users", "distinct/messages_for_all_users.py", "bound: int = 1", "bound: int = 0"),
        ("krawtchouk-norm", "facts/krawtchouk_norm.py", "(-1) ** i", "(-1) ** (i // 2)"),
        ("bounds-difference", "uniformity/bounds_difference.py", "278*a^2", "288*a^2"),
        ("distinct-accuracy", "distinct/distinct_accuracy.py", "E[z] = D", "E[z] = D + 1"),
        ("distinct-or-reduction", "distinct/distinct_or_reduction.py", "for k in (1, 2, 3)", "for k in (1, 2)"),
        ("robustness-not-implied", "preliminaries/robustness_not_implied.py", "Fraction(2))", "Fraction(3))"),
        ("uniformity-transformation-accuracy", "uniformity/uniformity_transformation_accuracy.py", "10**9", "10**8"),
        ("shuffle-histogram-worst-neighbour", "finite.py", "comb(l, x)", "1 * comb(l, x)"),
    ],
)
def test_a_changed_statement_file_makes_verify_fail(tmp_path, slug, file, old, new):
    for package in ("exact", "symbolic", "proofs", "panshuffle", "protocols", "crosscheck"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    target = tmp_path / "proofs" / file
    text = target.read_text(encoding="utf-8")
    assert old in text
    target.write_text(text.replace(old, new), encoding="utf-8")
    command = [sys.executable, "-c", "from panshuffle.main import main; main()", "verify", slug]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 1
    assert slug in done.stderr


@pytest.mark.parametrize(
    ("file", "package"),
    [("symbolic/ball_sign.py", "symbolic"), ("exact/errors.py", "exact"), ("proofs/verdict.py", "proofs")],
)
def test_changed_code_of_the_provers_differs_from_the_pins(tmp_path, monkeypatch, file, package):
    for name in ("exact", "symbolic", "proofs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(pins_module, "ROOT", tmp_path / "proofs")
    before = machinery_differences()
    (tmp_path / "proofs" / "paper.py").write_text("# it decides nothing\n")
    assert before == machinery_differences() == []
    with (tmp_path / file).open("a") as stream:
        stream.write("# changed\n")
    said = f"the provers' code in {package}/ differs from what was pinned: run python -m proofs.pins after a full run"
    assert machinery_differences() == [said]


def test_errata_tell_where_why_and_what_instead():
    slug = "hash-collisions"
    verdict = replace(check_statement(slug, LEDGER[slug]), verdict="repaired")
    page = errata(LEDGER, {slug: verdict})
    for part in (LEDGER[slug].where, LEDGER[slug].printed, verdict.witness, LEDGER[slug].why, LEDGER[slug].repair.says):
        assert part in page


def test_the_readme_names_errata_that_the_ledger_has():
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Errata of the paper")[1].split("\n## ")[0]
    slugs = re.findall(r"`([a-z0-9-]+)`", table)
    assert len(slugs) >= 15
    assert all(pins()[slug]["verdict"] in ("refuted", "repaired") for slug in slugs)


def test_at_least_25_statements_rest_on_the_kernel_alone():
    kernel = [slug for slug, pin in pins().items() if pin["tier"] == "proof kernel"]
    assert len(kernel) >= 25
    assert {"distinct-elements-privacy", "distinct-transformation-privacy"} <= set(kernel)


def test_a_statement_is_found_by_its_label_and_a_typo_is_answered_with_the_nearest_slug(capsys):
    for text in ("lem:distinct-hash", "distinct-hash"):
        with pytest.raises(SystemExit) as end:
            main(["verify", text])
        assert end.value.code == 0
        assert "hash-collisions" in capsys.readouterr().out
    with pytest.raises(SystemExit) as end:
        main(["verify", "hash-colisions"])
    assert end.value.code == 2
    assert "did you mean hash-collisions?" in capsys.readouterr().err
