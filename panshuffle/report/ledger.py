"""The ledger on the page: every statement with its verdict, its steps folded under it, and the errata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from panshuffle.ledger_text import form_of
from panshuffle.report.graph import Node, picture
from panshuffle.report.markup import Markup, joined, prose, tag
from panshuffle.report.mathml import formula
from proofs.classes import classified, in_paper_order
from proofs.statement import SEVERITIES, supports
from proofs.verdict import TIERS

if TYPE_CHECKING:
    from proofs.statement import Statement
    from proofs.verdict import StepResult, Verdict

LETTERS = dict(zip(TIERS, "KWEBSAaC", strict=True))
WEAK = ("cited",)


def letter(verdict: Verdict) -> str:
    """A letter for the tier, the strongest first, and D for a definition."""
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
    covers = f", {verdict.coverage}" if verdict.coverage else ""
    return f"{verdict.verdict} ({verdict.tier}{covers}){rest}"


def section_of(statement: Statement) -> str:
    """The section of the paper that a statement is in."""
    return statement.where.partition(",")[0]


def graph(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The dependency graph of all statements that rest on others or carry them."""
    linked = {other for slug in verdicts for other in supports(known[slug])}
    nodes = {
        slug: Node(slug, status(verdict), letter(verdict), words(verdict), supports(known[slug]))
        for slug, verdict in verdicts.items()
        if supports(known[slug]) or slug in linked
    }
    return picture(nodes)


def entries(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """All statements in the order of the paper."""
    return joined([entry(known[slug], verdicts[slug]) for slug in in_paper_order(known, verdicts)])


def entry(statement: Statement, verdict: Verdict) -> Markup:
    """One statement: its verdict in the open, its proof folded."""
    form = form_of(statement, verdict)
    head = tag(
        "summary",
        tag("span", verdict.verdict, class_=f"badge {status(verdict)}"),
        " ",
        tag("code", verdict.slug),
        " ",
        tag("span", ", ".join(filter(None, [statement.severity, form, evidence(verdict)])), class_="tier"),
        tag("span", prose(statement.printed), class_="printed"),
    )
    return tag(
        "details",
        head,
        body(statement, verdict),
        id=verdict.slug,
        class_="statement",
        data_verdict=verdict.verdict,
        data_severity=statement.severity or "none",
        data_coverage=verdict.coverage or "none",
        data_form=form,
        data_tier=verdict.tier.removesuffix(" (recorded)"),
        data_section=section_of(statement),
    )


def evidence(verdict: Verdict) -> str:
    """The tier and over what it decides, where there is any."""
    return ", ".join(filter(None, [verdict.tier if verdict.tier != "none" else "", verdict.coverage]))


def body(statement: Statement, verdict: Verdict) -> Markup:
    """Everything that is known of a statement."""
    parts = [tag("p", tag("b", "where: "), statement.where)]
    if statement.hypotheses:
        parts.append(listing("given", [prose(text) for text in statement.hypotheses]))
    parts += labelled(("read as", statement.reading))
    parts += [steps("steps", verdict.steps), steps("the same in other ways", verdict.also)]
    parts += labelled(("the argument in words", statement.argument), ("checked for", statement.checked))
    parts += labelled(("witness", verdict.witness), ("why", statement.why), ("cited from", statement.cited))
    if statement.repair:
        parts += labelled(("repaired", statement.repair.says))
        parts.append(steps("steps of the repair", verdict.repair_steps))
        parts += labelled(
            ("its argument in words", statement.repair.argument), ("checked for", statement.repair.checked)
        )
    parts += labelled(("what survives", statement.survives), ("an objection", statement.referee))
    parts += labelled(("implemented in", statement.implementation), ("problem", verdict.problem))
    support = supports(statement)
    if support:
        parts.append(
            tag("p", tag("b", "rests on: "), *spaced([tag("a", other, href=f"#{other}") for other in support]))
        )
    parts.append(steps("false twins, which must come back refuted", verdict.twins))
    parts.append(tag("p", tag("b", "again: "), tag("code", f"panshuffle verify {verdict.slug} --explain")))
    return joined(parts)


def labelled(*texts: tuple[str, str | None]) -> list[Markup]:
    """A paragraph for each text that there is, with its name."""
    return [tag("p", tag("b", f"{name}: "), prose(text)) for name, text in texts if text]


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
    """What is not so as printed, by severity: the witness, the repair, and what survives."""
    parts = []
    for severity, slugs in classified(known, verdicts).items():
        if severity in SEVERITIES:
            parts.append(
                tag("h3", f"{severity.capitalize()}: {SEVERITIES[severity]}", id=f"errata-{slugged(severity)}")
            )
            parts += [erratum(known[slug], verdicts[slug]) for slug in slugs]
    return joined(parts)


def slugged(name: str) -> str:
    """A name as part of an address."""
    return name.replace(" ", "-")


def erratum(statement: Statement, verdict: Verdict) -> Markup:
    """One entry of the errata."""
    parts = [tag("h4", tag("a", statement.where, href=f"#{verdict.slug}"))]
    parts += labelled(("printed", statement.printed), ("but", statement.why or "see the witness"))
    parts.append(tag("p", tag("b", "witness: "), prose(verdict.witness or "none"), class_="witness"))
    parts += labelled(
        ("instead", statement.repair.says if statement.repair else None), ("above it", statement.survives)
    )
    return tag("article", joined(parts), class_="erratum")
