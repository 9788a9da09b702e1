"""The ledger on the page: every statement with its verdict, its steps folded under it, and the errata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from markupsafe import Markup

from crosscheck.template import filled
from panshuffle.ledger_text import form_of
from panshuffle.prose.mathml import prose
from panshuffle.report.graph import Node, picture
from panshuffle.report.markup import tag
from panshuffle.report.mathml import formula
from proofs.classes import class_of, classified, in_paper_order
from proofs.statement import SEVERITIES, supports
from proofs.verdict import COVERAGES, TIERS, VERDICTS

if TYPE_CHECKING:
    from proofs.statement import Statement
    from proofs.verdict import StepResult, Verdict

LETTERS = dict(zip(TIERS, "KWRrEBSAaC", strict=True))


def letter(verdict: Verdict) -> str:
    """A letter for the tier, the strongest first, and D for a definition."""
    return "D" if verdict.verdict == "definition" else LETTERS.get(verdict.tier, "?")


def status(verdict: Verdict) -> str:
    """The class that colours a statement: green only where it and everything beneath it is proved, not cited."""
    if verdict.verdict in ("proved", "repaired") and verdict.tier == "cited":
        return "leaning"
    return verdict.verdict


def words(verdict: Verdict) -> str:
    """The verdict and its evidence in words."""
    if verdict.verdict == "definition":
        return "definition, implemented and tested"
    rest = ", resting on something cited" if status(verdict) == "leaning" else ""
    covers = f", {verdict.coverage}" if verdict.coverage else ""
    return f"{verdict.verdict} ({verdict.tier}{covers}){rest}"


def section_of(statement: Statement) -> str:
    """The section of the paper that a statement is in."""
    return statement.where.partition(",")[0]


def graph(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The dependency graph of all statements that rest on others or carry them, and its legend."""
    linked = {other for slug in verdicts for other in supports(known[slug])}
    nodes = {
        slug: Node(slug, status(verdict), letter(verdict), words(verdict), supports(known[slug]))
        for slug, verdict in verdicts.items()
        if supports(known[slug]) or slug in linked
    }
    letters = ", ".join(f"{letter} {tier}" for tier, letter in LETTERS.items())
    return filled("panshuffle.report", "graph.html", letters=letters, picture=picture(nodes))


def statements(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """All statements in the order of the paper, each with its proof folded under it, and their filters."""
    entries = [(known[slug], verdicts[slug]) for slug in in_paper_order(known, verdicts)]
    return filled("panshuffle.report", "statements.html", entries=entries, filters=filters(known, verdicts), **SHOWN)


def filters(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> tuple[tuple[str, str, list[str]], ...]:
    """What one can choose by: the name, its words, and the values that there are."""
    present = {verdict.tier for verdict in verdicts.values()}
    sections = dict.fromkeys(section_of(known[slug]) for slug in verdicts)
    forms = dict.fromkeys(form_of(known[slug], verdict) for slug, verdict in verdicts.items())
    classes = {class_of(verdict.verdict, known[slug].severity) for slug, verdict in verdicts.items()}
    return (
        ("verdict", "verdict", [name for name in VERDICTS if any(v.verdict == name for v in verdicts.values())]),
        ("severity", "severity", [name for name in SEVERITIES if name in classes]),
        ("coverage", "covers", [name for name in COVERAGES if any(v.coverage == name for v in verdicts.values())]),
        ("form", "form", list(forms)),
        ("tier", "weakest evidence beneath", [tier for tier in TIERS if tier in present]),
        ("section", "section", list(sections)),
    )


def errata(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """What is not so as printed, by severity: the witness, the repair, and what survives."""
    severities = [
        (name, SEVERITIES[name], [(known[slug], verdicts[slug]) for slug in slugs])
        for name, slugs in classified(known, verdicts).items()
        if name in SEVERITIES
    ]
    return filled("panshuffle.report", "errata.html", severities=severities, **SHOWN)


def evidence(verdict: Verdict) -> str:
    """The tier and over what it decides, where there is any."""
    return ", ".join(filter(None, [verdict.tier if verdict.tier != "none" else "", verdict.coverage]))


def formula_of(step: StepResult) -> Markup:
    """What a step claims: a formula, or the name of what the kernel or an enumeration checks."""
    return tag("code", step.text) if step.prover in ("kernel", "exhaustive", "scope") else formula(step.text)


SHOWN: dict[str, object] = {
    function.__name__: function for function in (prose, formula_of, form_of, section_of, status, evidence, supports)
}
