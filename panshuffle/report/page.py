"""The page, put together: one file without anything from elsewhere."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

from markupsafe import Markup

from panshuffle.exact.errors import ParameterError
from panshuffle.last_run import verdicts_of
from panshuffle.output import destination, progress
from panshuffle.plotting import pyplot
from panshuffle.proofs.ledger import statements
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.verdict import Verdict
from panshuffle.report import ledger
from panshuffle.report.ledger import sections
from panshuffle.report.numbers import numbers
from panshuffle.report.summary import summary
from panshuffle.template import filled, kept

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
