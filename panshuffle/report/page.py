"""The page, put together: one file without anything from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version

from markupsafe import Markup

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


def again() -> Markup:
    """Versions, precision and commands."""
    return filled(PACKAGE, "again.html", versions=[[name, version(name)] for name in LIBRARIES])
