"""The ledger: it accounts for the whole paper, verdicts follow from evidence, and nothing can change unseen."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from panshuffle.proofs.errata import errata
from panshuffle.proofs.kernel.audit import audit
from panshuffle.proofs.kernel.pins import HERE
from panshuffle.proofs.paper import items, read
from panshuffle.proofs.pins import differences, fingerprint, pins
from panshuffle.proofs.statement import KINDS, Repair
from panshuffle.proofs.verdict import (
    ALL,
    KERNEL,
    KERNEL_AND_WORDS,
    RECORDED,
    RECORDED_AND_WORDS,
    TIERS,
    Verdict,
    check_statement,
)
from panshuffle.symbolic.identity import TWO_SYSTEMS

from panshuffle.ledger_text import print_counts
from tests.conftest import FULL, copied_packages
from tests.every import every
from tests.provers.small_ledgers import LEDGER, ROOT, lemma

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


NOT_IN_THE_PAPER = {"poisson-binomial"}
"""Protocols of which no statement is printed: their views say why no neighbour is worse."""


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
        assert tuple(read(Path(name).read_text(encoding="utf-8"))) == found
    labels = [item.key for item in found]
    assert len(set(labels)) == len(labels) == 146
    assert [item.key for item in found if item.number == "Theorem 3.2"] == ["thm:ikos"]
    numbers = {item.key: item.number for item in found}
    assert [numbers[key] for key in ("eq:pan", "eq:ex", "eq:var", "eq:var-uniform", "fig:results", "section-A.3")] == [
        "Equation 1", "Equation 4", "Equation 5", "Equation 7", "Figure 1", "Section A.3",
    # kept in rows: with one entry a line the table can't be seen at once
    ]  # fmt: skip


def test_the_list_leaves_out_what_is_not_printed():
    source = r"""\begin{document} % \begin{lemma}\label{a}\end{lemma}
    \iffalse \begin{lemma}\label{b}\end{lemma} \fi \begin{lemma}\label{c} $$x$$ \end{lemma} \begin{claim}y\end{claim}"""
    assert [(item.key, item.kind, item.number) for item in read(source)] == [
        ("display-1", "display", ""),
        ("c", "lemma", "Lemma .1"),
        ("claim-1", "claim", "Claim .2"),
    ]


def test_numbers_are_those_of_print():
    source = r"""\begin{document} \section{One} \begin{lemma} x \end{lemma} \subsection{Sub}
    \begin{equation} \label{a} x \end{equation} \section*{Not numbered}
    \begin{align} x \\ y \nonumber \\ z \label{b} \end{align}
    \begin{align*} x \stepcounter{equation} \label{c} \end{align*}
    \appendix \section{More} \subsection{Deep} \begin{fact} x \end{fact} \begin{gather} x \end{gather}"""
    assert {item.key: item.number for item in read(source)} == {
        "section-1": "Section 1",
        "lemma-1": "Lemma 1.1",
        "section-1.1": "Section 1.1",
        "a": "Equation 1",
        "b": "Equation 3",
        "c": "Equation 4",
        "section-A": "Section A",
        "section-A.1": "Section A.1",
        "fact-1": "Fact A.1",
        "display-4": "Equation 5",
    }


def test_every_protocol_of_the_paper_has_its_worst_neighbour_statement():
    from panshuffle.arguments import PROTOCOLS as NAMES

    assert PROTOCOLS.keys() | NOT_IN_THE_PAPER == set(NAMES)
    assert not PROTOCOLS.keys() & NOT_IN_THE_PAPER
    assert all(LEDGER[slug].kind == "worst neighbour" for slug in PROTOCOLS.values())


@every("slug", LEDGER)
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
        assert row["verdict"] in ("proved", "checked", "refuted", "repaired", "cited", "definition")
        assert all(twin["status"] == "refuted" and twin["witness"] for twin in row["twins"])
        assert not any("not defined" in twin["witness"] for twin in row["twins"]), f"{slug}: a twin about nothing"
        if row["verdict"] in ("refuted", "repaired"):
            assert row["witness"] and row["repair"]
        if row["verdict"] in ("proved", "repaired"):
            assert row["tier"] in TIERS
        if row["verdict"] == "cited":
            assert "cite" in LEDGER[slug].cited
    keys = {"slug", "label", "where", "printed", "verdict", "tier", "rests_on", "witness", "repair", "seconds"}
    keys |= {"severity", "coverage", "reading", "argument", "section"}
    assert all(keys <= row.keys() for row in answer.values())
    parts = ("steps", "also", "repair_steps", "twins")
    steps = [step for row in answer.values() for part in parts for step in row[part]]
    algebra = [step for step in steps if step["prover"] in ("identity", "moments")]
    assert len(algebra) > 100
    assert [step["text"] for step in algebra if step["tier"] != TWO_SYSTEMS] == []


@every(
    "change",
    [
        {"printed": "something else"},
        {"hypotheses": ("another hypothesis",)},
        {"covers": ()},
        {"rests_on": ()},
        {"label": "lem:other"},
        {"twins": ()},
        {"repair": Repair("another repair")},
        {"severity": "convention"},
        {"reading": "another reading"},
        {"argument": "another argument"},
    ],
)
def test_a_changed_statement_differs_from_its_pin(change):
    slug = "hashed-distinct-accuracy"
    pin = pins()[slug]
    verdict = Verdict(slug, pin["verdict"], pin["tier"], pin["coverage"], None, (), (), (), 0.0)
    assert differences(LEDGER, {slug: verdict}) == []
    changed = {slug: replace(LEDGER[slug], **change)}
    assert differences(changed, {slug: verdict}) == [f"{slug} differs from its pinned form"]


def test_another_verdict_differs_from_the_pin():
    verdict = Verdict("distinct-gamma", "open", "", "", None, (), (), (), 0.0)
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
    ][:: 1 if FULL else 6],
)
def test_a_changed_statement_file_makes_verify_fail(tmp_path, slug, file, old, new):
    target = copied_packages(tmp_path) / "proofs" / file  # with what is compiled, which is right but for one file
    text = target.read_text(encoding="utf-8")
    assert old in text
    target.write_text(text.replace(old, new), encoding="utf-8")
    command = [sys.executable, "-c", "from panshuffle.main import main; main()", "verify", slug]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 1
    assert slug in done.stderr


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


def environments():
    """The theorems, lemmas, corollaries, claims and facts of the paper, as keys of what it prints."""
    return {item.key for item in items() if item.kind in ("theorem", "lemma", "corollary", "claim", "fact")}


def test_every_environment_that_is_not_cited_rests_on_the_kernel_alone():
    """All but what `Paper.v` has open, which the audit of that file prints."""
    left = {name.replace("_", "-") for name in audit(HERE).open}
    found = {
        slug: statement
        for slug, statement in LEDGER.items()
        if statement.kind in ("theorem", "lemma", "corollary", "claim", "fact")
        and environments() & {statement.label, *statement.covers}
    }
    weaker = [slug for slug in found if pins()[slug]["tier"] != RECORDED and pins()[slug]["verdict"] != "cited"]
    assert [slug for slug in weaker if found[slug].label.replace(":", "-") not in left] == []
    covered = {key for slug, statement in found.items() for key in (statement.label, *statement.covers)}
    assert environments() <= covered


def test_at_least_110_statements_rest_on_the_kernel_alone():
    kernel = [slug for slug, pin in pins().items() if pin["tier"] == RECORDED]
    assert len(kernel) >= 110
    assert not [slug for slug, pin in pins().items() if pin["tier"] == RECORDED_AND_WORDS]


def test_no_pin_says_that_the_kernel_ran():
    assert not {KERNEL, KERNEL_AND_WORDS} & {pin["tier"] for pin in pins().values()}


def test_what_is_recorded_is_counted_apart_from_what_the_kernel_checked(capsys):
    known = {name: lemma() for name in "abcde"}
    tiers = dict(zip("abcde", (KERNEL, RECORDED, RECORDED, KERNEL_AND_WORDS, "cited"), strict=True))
    print_counts(known, {a: Verdict(a, "proved", tier, ALL, None, (), (), (), 0.0) for a, tier in tiers.items()})
    lines = capsys.readouterr().out.splitlines()
    assert "    1  checked by the proof kernel in this run, with nothing weaker beneath" in lines
    assert "    2  recorded, not run here, with nothing weaker beneath: `make kernel` repeats it, with Coq" in lines
