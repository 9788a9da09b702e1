"""The first screen: what holds, the worst findings, and the paper at a glance."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from pathlib import Path

from markupsafe import Markup

from panshuffle.card import examples
from panshuffle.exact.real import Certified, parse, real
from panshuffle.latex.sentences import prose
from panshuffle.ledger_text import form_of
from panshuffle.proofs.classes import CONVENTION, class_of, opening
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import WRONG, Verdict
from panshuffle.report.ledger import colour_of, legend, sections
from panshuffle.report.numbers import tight_rows
from panshuffle.template import filled

Witness = Mapping[str, str]
"""The witnesses by slug."""
CLOSE_TO_ONE = Decimal("1e-7")
"""A probability near 1 is shown to seven digits, rounded down: it is then a true lower bound."""


@dataclass(frozen=True)
class Finding:
    """A finding of `findings.toml`: its statements, worst first, its texts, and how its number is got."""

    slugs: Sequence[str]
    title: str
    sentence: str
    number: Mapping[str, str]
    unit: str
    opposite: bool = False

    def value(self, witness: Witness) -> str:
        """Its number, by the witnesses."""
        if "text" in self.number:
            return self.number["text"]
        if "expression" in self.number:
            lower, _upper = Certified.of(real(parse(self.number["expression"]))).enclosure(12)
            return f"{int(Decimal(lower)):,}"
        found = re.search(self.number["pattern"], witness[self.number["witness"]])
        assert found is not None, f"the witness of {self.number['witness']} has no number"
        return str((1 - Decimal(found[1])).quantize(CLOSE_TO_ONE, ROUND_DOWN)) if self.opposite else found[1]


TEXT = Path(__file__).with_name("findings.toml").read_text(encoding="utf-8")
FINDINGS = [Finding(**row) for row in tomllib.loads(TEXT)["finding"]]


def standing(verdicts: Mapping[str, Verdict]) -> list[tuple[Finding, str]]:
    """The findings whose first statement is refuted in these verdicts, each with its number."""
    witness = {slug: plain(verdict.witness) for slug, verdict in verdicts.items() if verdict.witness}
    found = [one for one in FINDINGS if one.slugs[0] in verdicts and verdicts[one.slugs[0]].verdict in WRONG]
    return [(one, one.value(witness)) for one in found]


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
        opening=opening(known, verdicts)[1:],
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
    for row, answer in tight_rows():
        if answer.exact is not None and answer.paper is not None and answer.exact.isdigit():
            ratio = Fraction(answer.paper.value) / int(answer.exact)
            found.append((ratio, Excess(row.words, answer.exact, answer.paper.value, int(ratio))))
    return max(found, key=lambda pair: pair[0], default=(Fraction(0), None))[1]
