"""The ledger on the page: every statement with its verdict, its steps folded under it, and the errata."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from panshuffle.ledger_text import form_of
from panshuffle.proofs.classes import class_of, classified
from panshuffle.proofs.statement import SEVERITIES, Statement, supports
from panshuffle.proofs.verdict import COVERAGES, TIERS, VERDICTS, StepResult, Verdict
from panshuffle.prose.mathml import prose
from panshuffle.report.map import colour_of, legend, sections
from panshuffle.report.markup import tag
from panshuffle.report.mathml import formula
from panshuffle.template import filled


def section_of(statement: Statement) -> str:
    """The section of the paper that a statement is in."""
    return statement.where.partition(",")[0]


def graph(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The map of all statements, with what each rests on, and its legend."""
    found = sections(known, verdicts)
    return filled("panshuffle.report", "graph.html", sections=found, legend=legend(found))


def statements(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """All statements by section, in the order of the paper, each with its proof folded under it, and their filters."""
    groups = [
        (section, [(known[place.slug], verdicts[place.slug]) for place in section.places])
        for section in sections(known, verdicts)
    ]
    return filled("panshuffle.report", "statements.html", groups=groups, filters=filters(known, verdicts), **SHOWN)


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
    function.__name__: function for function in (prose, formula_of, form_of, section_of, colour_of, evidence, supports)
}
