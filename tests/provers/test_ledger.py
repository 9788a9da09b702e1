"""The ledger: it accounts for the whole paper, verdicts follow from evidence, and nothing can change unseen."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from panshuffle.proofs.classes import in_paper_order, opening
from panshuffle.proofs.kernel.pins import HERE
from panshuffle.proofs.kernel.sources import audit
from panshuffle.proofs.ledger import modules, section_of, slugs_of
from panshuffle.proofs.paper import items, read
from panshuffle.proofs.pins import COLUMNS, LOOSE, code, defined, differences, fingerprint, pins, source
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import KINDS, Repair, Statement
from panshuffle.proofs.verdict import (
    DECIDED,
    KERNEL,
    NONE,
    RECORDED,
    STEPS,
    TIERS,
    WHOLE,
    Verdict,
    check_statement,
)
from panshuffle.proofs.verdict import HERE as GRADES
from panshuffle.symbolic.identity import TWO_SYSTEMS

from panshuffle.errata import page
from panshuffle.latex.sentences import in_print
from panshuffle.ledger_text import explanation
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
    if statement.steps or statement.kernel:
        assert statement.near_misses
        assert len({step.says for step in statement.near_misses}) == len(statement.near_misses)
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


def proofs(row):
    """What was proved in a run for a statement, in JSON."""
    return [step for part in ("steps", "repair_steps") for step in row[part] if step["status"] == "proved"]


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
        assert all(step["status"] == "refuted" and step["witness"] for step in row["near_misses"])
        assert not any("not defined" in step["witness"] for step in row["near_misses"]), (
            f"{slug}: a near miss of nothing"
        )
        if row["verdict"] in ("refuted", "repaired"):
            assert row["witness"] and row["repair"]
        if row["verdict"] in ("proved", "repaired"):
            assert row["tier"] in TIERS
        if row["verdict"] == "cited":
            assert "cite" in LEDGER[slug].cited or "the paper gives no source" in LEDGER[slug].cited
    keys = {"slug", "label", "where", "printed", "verdict", "tier", "rests_on", "witness", "repair", "seconds"}
    keys |= {"severity", "here", "kernel", "provers", "number", "reading", "argument", "section"}
    assert all(keys <= row.keys() for row in answer.values())
    parts = ("steps", "repair_steps", "near_misses")
    steps = [step for row in answer.values() for part in parts for step in row[part]]
    algebra = [step for step in steps if step["prover"] in ("identity", "moments")]
    assert len(algebra) > 100
    assert [step["text"] for step in algebra if step["tier"] != TWO_SYSTEMS] == []
    here = Counter(row["here"] for row in answer.values() if row["verdict"] not in ("cited", "definition"))
    assert here["whole"] >= 50
    assert here["none"] <= 15
    proved = Counter(tier for row in answer.values() for tier in {step["tier"] for step in proofs(row)})
    assert proved[TWO_SYSTEMS] >= 70  # sympy is one of the two
    assert proved["two SMT solvers"] >= 60
    assert proved["ball computation"] >= 40


@every(
    "change",
    [
        {"printed": "something else"},
        {"hypotheses": ("another hypothesis",)},
        {"covers": ()},
        {"rests_on": ()},
        {"label": "lem:other"},
        {"near_misses": ()},
        {"repair": Repair("another repair")},
        {"severity": "convention"},
        {"reading": "another reading"},
        {"argument": "another argument"},
    ],
)
def test_a_changed_statement_differs_from_its_pin(change):
    slug = "hashed-distinct-accuracy"
    pin = pins()[slug]
    verdict = Verdict(slug, pin["verdict"], *(pin[column] for column in COLUMNS))
    assert differences(LEDGER, {slug: verdict}) == []
    changed = {slug: replace(LEDGER[slug], **change)}
    assert differences(changed, {slug: verdict}) == [f"{slug} differs from its pinned form"]


def test_another_verdict_differs_from_the_pin():
    verdict = Verdict("distinct-gamma", "open")
    assert differences(LEDGER, {"distinct-gamma": verdict}) == ["distinct-gamma is open, but proved is pinned"]
    unknown = {"new": replace(verdict, slug="new")}
    assert differences({"new": LEDGER["markov"]}, unknown) == ["new is not pinned"]


CHANGES = [
    ("cantelli", "facts.py", r"\frac{v}{v + t^{2}}", r"\frac{v}{v + 2t^{2}}"),
    ("messages-for-all-users", "section_3_1.py", "distance <= Fraction(2, 2**m)", "distance <= Fraction(1, 2**m)"),
    ("hoeffding", "facts.py", "x // (k - x + 1)", "x // (k - x + 2)"),
    ("bounds-difference", "section_4_1.py", 'DIFFERENCE = "278*a^2', 'DIFFERENCE = "288*a^2'),
    ("distinct-accuracy", "section_3_1.py", "E[z] = D", "E[z] = D + 1"),
    ("ideal-mechanism-privacy", "section_3_1.py", "lambda _: delta == 0", "lambda _: delta <= 0"),
    ("robustness-not-implied", "section_2.py", "x: x + 1), law, exp_eps)", "x: x + 1), law, 2 * exp_eps)"),
    ("uniformity-transformation-accuracy", "section_4_2.py", "10**9", "10**8"),
    ("binomial-certificate", "finite.py", "comb(l, x)", "1 * comb(l, x)"),
]
"""(slug, file, old, new): a change of what a statement says, or of a function or constant that decides it."""


@pytest.mark.parametrize(("slug", "file", "old", "new"), CHANGES[:: 1 if FULL else 6])
def test_a_changed_statement_file_makes_verify_fail(tmp_path, slug, file, old, new):
    target = copied_packages(tmp_path) / "proofs" / file  # with what is compiled, which is right but for one file
    text = target.read_text(encoding="utf-8")
    assert text.count(old) == 1
    target.write_text(text.replace(old, new), encoding="utf-8")
    command = [sys.executable, "-c", "from panshuffle.main import main; main()", "verify", slug]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 1
    assert slug in done.stderr


SECTIONS = set(modules().values())
SHARED = {"robustness-not-implied": {"binomial-certificate"}}
"""The other statements that use the code that one of `CHANGES` changes."""


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """The slugs whose fingerprints are others after a change of a file, the statements themselves being as they are."""

    def slugs(file, change):
        path = tmp_path / "proofs" / file
        shutil.copytree(HERE.parent, tmp_path / "proofs", ignore=shutil.ignore_patterns("kernel", "__pycache__"))
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        monkeypatch.setattr("panshuffle.proofs.pins.ROOT", tmp_path / "proofs")
        source.cache_clear()
        found = {slug for slug, known in LEDGER.items() if fingerprint(slug, known) != pins()[slug]["fingerprint"]}
        source.cache_clear()
        return found

    return slugs


@pytest.mark.parametrize(("slug", "file", "old", "new"), CHANGES)
def test_a_change_of_one_statement_leaves_the_fingerprints_of_the_others(changed, slug, file, old, new):
    found = changed(file, lambda text: text.replace(old, new))
    if file.removesuffix(".py") in SECTIONS:
        assert found == {slug} | SHARED.get(slug, set())
    else:  # binomial laws, which many statements use, and many do not
        assert slug in found and len(found) < len(LEDGER) / 3


def test_a_line_that_may_concern_all_changes_all_fingerprints_of_its_module(changed):
    found = changed("section_6.py", "{}if not 'later':\n    pass\n".format)
    assert found == {slug for slug, module in modules().items() if module == "section_6"}


@pytest.mark.parametrize(
    "line",
    [
        "hoeffding = markov",
        "hoeffding.printed = ''",
        "FAIR_BITS += 1",
        "FAIR_BITS: int = 7",
        "from math import e as FAIR_BITS",
    ],
)
def test_a_second_definition_changes_the_fingerprint(changed, line):
    assert "hoeffding" in changed("facts.py", f"{{}}{line}\n".format)


def test_a_remark_changes_no_fingerprint(changed):
    assert changed("facts.py", "{}# a remark\n".format) == set()


def test_statements_stand_in_the_section_that_prints_them_in_the_order_of_print():
    order = in_paper_order(LEDGER, LEDGER)
    for name in SECTIONS:
        held = [slug for slug, module in modules().items() if module == name]
        assert held == [slug for slug in order if slug in held]
        part, *numbers = name.split("_")
        if part in ("section", "appendix"):
            section = ".".join(numbers).upper()
            found = {section_of(LEDGER[slug]) for slug in held}
            assert all(
                f"{number}.".startswith(f"{section}.")
                or section.startswith(f"{number}.")
                or (number == "0" and section == "1")
                for number in found
            )


def test_a_module_of_statements_defines_every_statement_by_name_and_nothing_twice():
    for name in SECTIONS:
        module = import_module(f"panshuffle.proofs.{name}")
        found = [key.replace("_", "-") for key, value in vars(module).items() if isinstance(value, Statement)]
        text = (HERE.parent / f"{name}.py").read_text(encoding="utf-8")
        assert found == slugs_of(text) == [slug for slug, home in modules().items() if home == name]
        names = [
            name
            for node in ast.parse(text).body
            if not isinstance(node, (ast.ImportFrom, ast.Expr))
            for name in defined(node)
        ]
        assert len(names) == len(set(names)) and LOOSE not in names


def test_every_function_and_constant_beside_the_statements_is_part_of_one():
    """What no fingerprint covers could change unseen, and is of no use."""
    covered = set()
    for slug, name in modules().items():
        covered |= {text.partition("\n")[0] for text in code(f"panshuffle.proofs.{name}", slug.replace("-", "_"))}
    for name in SECTIONS:
        module = f"panshuffle.proofs.{name}"
        assert {f"{module}.{own}" for own in source(module).texts} <= covered


def test_errata_tell_where_why_and_what_instead():
    slug = "hash-collisions"
    verdict = replace(check_statement(slug, LEDGER[slug]), verdict="repaired")
    written = page(LEDGER, {slug: verdict})
    for part in (LEDGER[slug].where, LEDGER[slug].printed, verdict.witness, LEDGER[slug].why, LEDGER[slug].repair.says):
        assert plain(in_print(part)) in written


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
    weaker = [slug for slug in found if pins()[slug]["kernel"] != RECORDED and pins()[slug]["verdict"] != "cited"]
    assert [slug for slug in weaker if found[slug].label.replace(":", "-") not in left] == []
    covered = {key for slug, statement in found.items() for key in (statement.label, *statement.covers)}
    assert environments() <= covered


def test_at_least_120_statements_have_a_theorem_in_the_kernel():
    assert sum(pin["kernel"] == RECORDED for pin in pins().values()) >= 120


def test_no_pin_says_that_the_kernel_ran():
    assert KERNEL not in {pin["kernel"] for pin in pins().values()}


def test_the_first_lines_say_what_was_decided_here_and_what_stands_on_the_record():
    known = {name: lemma() for name in "abcdef"}
    columns = {"a": (WHOLE, NONE), "b": (STEPS, RECORDED), "c": (NONE, RECORDED), "d": (NONE, KERNEL)}
    verdicts = {slug: Verdict(slug, "proved", here, "", kernel) for slug, (here, kernel) in columns.items()}
    verdicts |= {"e": Verdict("e", "cited"), "f": Verdict("f", "repaired", NONE, "", RECORDED)}
    known["f"] = replace(lemma(), severity="false")
    assert opening(known, verdicts) == [
        "1 of 6 statements need a correction (1 false).",
        "2 of the 5 that are neither cited nor definitions were decided on this machine now: 1 whole, 1 step by step.",
        "2 stand on a recorded run of Coq, which `make kernel` repeats.",
        "1 was checked by Coq in this run, too.",
    ]


def test_a_page_says_where_an_erratum_fails_and_what_to_read_instead():
    slug = "compression-keeps-uniform"
    page = explanation(LEDGER[slug], check_statement(slug, LEDGER[slug]))
    names = [line[2:15].strip() for line in page.splitlines()[1:] if line[2:15].strip()]
    assert [name for name in names if name in ("printed", "fails at", "why", "read instead", "consequence")] == [
        "printed", "fails at", "why", "read instead", "consequence"
    ]  # fmt: skip
    assert max(map(len, page.splitlines()[1:])) <= 110
    assert "[identity: proved]" not in page and "near miss" not in names


NONE_HERE_AT_MOST, WHOLE_AT_LEAST = 15, 50


def decided_here():
    """The statements that are neither cited nor definitions, by how much of them is decided here."""
    found = {grade: [] for grade in GRADES}
    for slug, pin in pins().items():
        if pin["verdict"] in DECIDED:
            found[pin["here"]].append(slug)
    return found


def test_nearly_all_statements_are_decided_here():
    found = decided_here()
    assert len(found[NONE]) <= NONE_HERE_AT_MOST
    assert len(found[WHOLE]) >= WHOLE_AT_LEAST


def test_each_kind_of_prover_decides_something_true_in_many_statements():
    """Counted over what holds: the steps of the statement or of its repair that must come back proved."""
    least = {("identity", "moments"): 70, ("smt",): 60, ("ball",): 40}
    for provers, number in least.items():
        found = [
            slug
            for slug, statement in LEDGER.items()
            if any(step.prover in provers for step in proved_steps(statement))
        ]
        assert len(found) >= number, provers


def proved_steps(statement):
    """The steps that must come back proved: all of a statement that is true as printed, and those of a repair."""
    own = statement.steps if not statement.severity else ()
    return (*own, *(statement.repair.steps if statement.repair else ()))
