"""The first screen: what holds, the worst findings, and the paper at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from panshuffle.card import examples
from panshuffle.ledger_text import form_of
from panshuffle.proofs.classes import CONVENTION, class_of
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import KERNEL, RECORDED, Verdict
from panshuffle.prose.mathml import prose
from panshuffle.report import numbers
from panshuffle.report.findings import standing
from panshuffle.report.map import colour_of, legend, sections
from panshuffle.template import filled

QUESTIONS = (
    ("How private is it, exactly?", "privacy"),
    ("What is the least noise?", "calibrate"),
    ("Is my implementation right?", "crosscheck"),
)
"""What people ask, and the command that answers it; the cards have an example of each."""
VERIFY = ("Is a statement of the paper right?", "panshuffle verify hash-collisions --explain")


@dataclass(frozen=True)
class Excess:
    """Where the paper's bound asks for the most noise beyond what is needed."""

    words: str
    exact: str
    paper: str
    times: int


def summary(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict]) -> Markup:
    """The first screen."""
    printed = {slug: v for slug, v in verdicts.items() if form_of(known[slug], v) not in ("sharper", "not printed")}
    classes = [class_of(verdict.verdict, known[slug].severity) for slug, verdict in printed.items()]
    wrong = {name: classes.count(name) for name in SEVERITIES if name != CONVENTION and name in classes}
    found = sections(known, verdicts)
    return filled(
        "panshuffle.report",
        "summary.html",
        printed=len(printed),
        holds=classes.count("proved") + classes.count("checked"),
        cited=classes.count("cited"),
        definitions=classes.count("definition"),
        errors=sum(wrong.values()),
        severities=", ".join(f"{number} {name}" for name, number in wrong.items()),
        conventions=classes.count(CONVENTION),
        kernel=sum(verdict.tier in (KERNEL, RECORDED) for verdict in verdicts.values()),
        total=len(verdicts),
        findings=[(one, number, colour(known, verdicts, one.slugs[0])) for one, number in standing(verdicts)],
        excess=excess(),
        sections=found,
        legend=legend(found),
        questions=[VERIFY, *((words, f"panshuffle {examples(command)[-1]}") for words, command in QUESTIONS)],
        prose=prose,
    )


def colour(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict], slug: str) -> str:
    """The colour of a statement, as a class of the style sheet."""
    return colour_of(known[slug], verdicts[slug]).replace(" ", "-")


def excess() -> Excess | None:
    """The row of the table of tight values with the largest excess of the bound, where a whole number is asked for."""
    found: list[tuple[Fraction, Excess]] = []
    for row, _, answer in numbers.tight_rows():
        if answer.exact is not None and answer.paper is not None and answer.exact.isdigit():
            ratio = Fraction(answer.paper.value) / int(answer.exact)
            found.append((ratio, Excess(row.words, answer.exact, answer.paper.value, int(ratio))))
    return max(found, key=lambda pair: pair[0], default=(Fraction(0), None))[1]
