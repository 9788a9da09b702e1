"""The ledger on the page: every statement with its verdict, its steps folded under it, and the errata."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from panshuffle.commands.verify import form_of
from panshuffle.report.graph import Node, picture
from panshuffle.report.markup import Markup, joined, prose, tag
from panshuffle.report.mathml import formula
from proofs.verdict import TIERS, needs

if TYPE_CHECKING:
    from proofs.statement import Statement
    from proofs.verdict import StepResult, Verdict

LETTERS = dict(zip(TIERS, "KEBSAOC", strict=True))
WEAK = ("cited",)


def letter(verdict: Verdict) -> str:
    """A letter for the tier, those of the page's legend, and D for a definition."""
    return "D" if verdict.verdict == "definition" else LETTERS.get(verdict.tier.removesuffix(" (recorded)"), "?")


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
    return f"{verdict.verdict} ({verdict.tier}){rest}"


def section_of(statement: Statement) -> str:
    """The section of the paper that a statement is in."""
    return statement.where.partition(",")[0]


def graph(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The dependency graph of all statements that rest on others or carry them."""
    linked = {other for slug in verdicts for other in needs(known[slug])}
    nodes = {
        slug: Node(slug, status(verdict), letter(verdict), words(verdict), needs(known[slug]))
        for slug, verdict in verdicts.items()
        if needs(known[slug]) or slug in linked
    }
    return picture(nodes)


def entries(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """All statements in the ledger's order."""
    return joined([entry(known[slug], verdict) for slug, verdict in verdicts.items()])


def entry(statement: Statement, verdict: Verdict) -> Markup:
    """One statement: its verdict in the open, its proof folded."""
    form = form_of(statement, verdict)
    head = tag(
        "summary",
        tag("span", verdict.verdict, class_=f"badge {status(verdict)}"),
        " ",
        tag("code", verdict.slug),
        " ",
        tag("span", f"{form}, {verdict.tier}" if verdict.tier != "none" else form, class_="tier"),
        tag("span", prose(statement.printed), class_="printed"),
    )
    return tag(
        "details",
        head,
        body(statement, verdict),
        id=verdict.slug,
        class_="statement",
        data_verdict=verdict.verdict,
        data_form=form,
        data_tier=verdict.tier.removesuffix(" (recorded)"),
        data_section=section_of(statement),
    )


def body(statement: Statement, verdict: Verdict) -> Markup:
    """Everything that is known of a statement."""
    parts = [tag("p", tag("b", "where: "), statement.where)]
    if statement.hypotheses:
        parts.append(listing("given", [prose(text) for text in statement.hypotheses]))
    parts += [steps("steps", verdict.steps)]
    labelled = (("witness", verdict.witness), ("why", statement.why), ("cited from", statement.cited))
    parts += [tag("p", tag("b", f"{name}: "), prose(text)) for name, text in labelled if text]
    if statement.repair:
        parts.append(tag("p", tag("b", "repaired: "), prose(statement.repair.says)))
        parts.append(steps("steps of the repair", verdict.repair_steps))
    later = (
        ("what survives", statement.survives),
        ("implemented in", statement.implementation),
        ("problem", verdict.problem),
    )
    parts += [tag("p", tag("b", f"{name}: "), prose(text)) for name, text in later if text]
    support = needs(statement)
    if support:
        parts.append(
            tag("p", tag("b", "rests on: "), *spaced([tag("a", other, href=f"#{other}") for other in support]))
        )
    parts += [steps("the same in other ways", verdict.also)] if verdict.also else []
    parts.append(steps("false twins, which must come back refuted", lasting(verdict.twins)))
    parts.append(tag("p", tag("b", "again: "), tag("code", f"panshuffle verify {verdict.slug} --explain")))
    return joined(parts)


def lasting(twins: tuple[StepResult, ...]) -> tuple[StepResult, ...]:
    """The twins without the solvers' witnesses: which one a solver finds first changes, and the page must not."""
    return tuple(replace(twin, witness=None) if twin.prover == "smt" else twin for twin in twins)


def spaced(links: list[Markup]) -> list[Markup]:
    """Links with commas between them."""
    return [Markup(f"{', ' if i else ''}{item}") for i, item in enumerate(links)]


def listing(name: str, items: list[Markup]) -> Markup:
    """A named list."""
    return tag("div", tag("b", f"{name}:"), tag("ul", joined([tag("li", item) for item in items])))


def steps(name: str, results: tuple[StepResult, ...]) -> Markup:
    """The steps with their provers and what came of them."""
    if not results:
        return Markup("")
    items = []
    for step in results:
        shown = [prose(step.says)] if step.says != step.text else []
        text = formula(step.text) if step.prover not in ("kernel", "exhaustive", "scope") else tag("code", step.text)
        outcome = tag("span", f"{step.prover}: {step.status}", class_=f"step {step.status}")
        witness = [tag("div", tag("b", "witness: "), step.witness, class_="witness")] if step.witness else []
        items.append(
            Markup("".join([*shown, " " if shown else "", tag("span", text, class_="formula"), " ", outcome, *witness]))
        )
    return listing(name, items)


def errata(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """What is not so as printed: the witness, the repair, and what survives."""
    rows = []
    for slug, verdict in verdicts.items():
        statement = known[slug]
        if verdict.verdict not in ("repaired", "refuted"):
            continue
        parts = [tag("h3", tag("a", statement.where, href=f"#{slug}"))]
        parts.append(tag("p", tag("b", "printed: "), prose(statement.printed)))
        parts.append(tag("p", tag("b", "but: "), prose(statement.why or "see the witness")))
        parts.append(tag("p", tag("b", "witness: "), prose(verdict.witness or "none"), class_="witness"))
        if statement.repair:
            parts.append(tag("p", tag("b", "instead: "), prose(statement.repair.says)))
        if statement.survives:
            parts.append(tag("p", tag("b", "above it: "), prose(statement.survives)))
        rows.append(tag("article", joined(parts), class_="erratum"))
    return joined(rows)
