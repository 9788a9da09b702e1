"""The page, put together: one file without anything from elsewhere, and its first screen."""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

from markupsafe import Markup

from panshuffle.card import examples
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.real import Certified, parse, real
from panshuffle.last_run import verdicts_of
from panshuffle.latex.sentences import prose
from panshuffle.ledger_text import form_of
from panshuffle.output import destination, progress
from panshuffle.plotting import pyplot
from panshuffle.proofs.classes import CONVENTION, class_of, opening
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.sentences import plain
from panshuffle.proofs.statement import SEVERITIES, Statement
from panshuffle.proofs.verdict import WRONG, Verdict
from panshuffle.report import ledger
from panshuffle.report.ledger import colour_of, legend, sections
from panshuffle.report.numbers import numbers, tight_rows
from panshuffle.template import filled, kept

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
        findings=[
            (one, number, colour_of(known[one.slugs[0]], verdicts[one.slugs[0]]).replace(" ", "-"))
            for one, number in standing(verdicts)
        ],
        excess=excess(),
        sections=found,
        legend=legend(found),
        questions=[VERIFY, *((words, f"panshuffle {examples(command)[-1]}") for words, command in QUESTIONS)],
        prose=prose,
    )


def excess() -> dict[str, object] | None:
    """The row of the table of tight values where the paper's bound asks for the most noise beyond what is needed."""
    found: list[tuple[Fraction, dict[str, object]]] = []
    for row, answer in tight_rows():
        if answer.exact is not None and answer.paper is not None and answer.exact.isdigit():
            ratio, paper = Fraction(answer.paper.value) / int(answer.exact), answer.paper.value
            found.append((ratio, {"words": row.words, "exact": answer.exact, "paper": paper, "times": int(ratio)}))
    return max(found, key=lambda pair: pair[0], default=(Fraction(0), None))[1]


PACKAGE = "panshuffle.report"
TITLE = "What of the paper holds"
PAPER = "Connecting Robust Shuffle Privacy and Pan-Privacy, by Balcer, Cheu, Joseph and Mao, statement by statement."
PARTS = (
    ("summary", "What a reader must know"),
    ("errata", "Errata, worst first"),
    ("numbers", "The paper's bounds against the truth"),
    ("statements", "Every statement, section by section"),
    ("graph", "What rests on what"),
    ("again", "Do it again"),
)
LIBRARIES = ("panshuffle", "python-flint", "sympy", "z3-solver", "cvc5", "numpy", "matplotlib")


def page(known: Mapping[str, Statement], verdicts: Mapping[str, Verdict], advance: Callable[[str], None]) -> str:
    """The whole page; `advance` is called with the name of each part before it is made."""
    makers: dict[str, Callable[[], Markup]] = {
        "summary": lambda: summary(known, verdicts),
        "numbers": lambda: numbers(advance),
        "errata": lambda: ledger.errata(known, verdicts),
        "statements": lambda: ledger.statements(known, verdicts),
        "graph": lambda: ledger.graph(known, verdicts),
        "again": again,
    }
    parts = []
    for slug, title in PARTS:
        advance(title)
        parts.append({"slug": slug, "title": title, "content": makers[slug]()})
    shown = {"title": TITLE, "paper": PAPER, "parts": parts, "sections": sections(known, verdicts)}
    style = kept(PACKAGE, "static/shared.css") + kept(PACKAGE, "static/report.css")
    return filled(PACKAGE, "report.html", **shown, style=style, script=kept(PACKAGE, "static/report.js"))


def run(args: argparse.Namespace) -> int:
    """Writes the page with the verdicts of the last run and with every number; the seconds go to a file beside it."""
    if not args.output.endswith(".html"):
        raise ParameterError("output", args.output, "a name that ends in .html")
    pyplot()
    seconds, marks = dict[str, object](), [perf_counter()]
    known = statements()
    with destination(args.output) as stream, progress("report", len(known)) as (step, advance):
        step("checking the ledger")
        verdicts = verdicts_of(known, advance, args.anew)

        def part(title: str, said: bool = True) -> None:
            marks.append(perf_counter())
            seconds[title] = round(marks[-1] - marks[-2], 3)
            if said:
                step(title)

        part("the ledger", said=False)
        stream.write(page(known, verdicts, part))
    times = str(Path(args.output).with_suffix(".times.json"))
    with destination(times) as stream:
        stream.write(json.dumps(seconds | {"statements": {v.slug: v.seconds for v in verdicts.values()}}, indent=1))
    counts = {verdict.verdict for verdict in verdicts.values()}
    result = {"page": args.output, "times": times, "statements": len(verdicts), "verdicts": sorted(counts)}
    print(json.dumps(result) if args.json else f"{args.output}: {len(verdicts)} statements; times in {times}")
    return int("open" in counts)


def again() -> Markup:
    """Versions, precision and commands."""
    return filled(PACKAGE, "again.html", versions=[[name, version(name)] for name in LIBRARIES])
