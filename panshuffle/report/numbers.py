"""The paper's bounds against the truth: a table and figures, each number with the command that gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from markupsafe import Markup

from exact.accuracy.figure1 import FIGURE_1
from exact.numbers.certified import Certified
from exact.numbers.grammar import parse
from exact.numbers.real import real
from panshuffle.answer import NumberAnswer
from panshuffle.answers import answer
from panshuffle.card import cards
from panshuffle.figure import pyplot, svg_of
from panshuffle.prose.mathml import prose
from panshuffle.question import Question
from panshuffle.report.markup import joined, table, tag
from panshuffle.report.reported import EXACT, Drawing, TightRow

Points = tuple[tuple[float, float], ...]
Item = TypeVar("Item", TightRow, Drawing)
NO_BOUND = "no bound here"
LONGEST_IN_TABLE = 24
"""A longer exact value is left out of a table; the enclosure says it shorter."""


def reported(kind: type[Item]) -> list[tuple[Item, str]]:
    """What the cards ask the report to show of one kind, in its order, with the protocol's name."""
    found = [(item, card.name) for card in cards() for item in card.reported if isinstance(item, kind)]
    return sorted(found, key=lambda pair: pair[0].place)


@cache
def ask(command: str) -> NumberAnswer:
    """The answer that `panshuffle COMMAND` prints."""
    found = answer(Question.read(command))
    assert isinstance(found, NumberAnswer)
    return found


def tight_table() -> Markup:
    """Least noise and true privacy loss beside what the paper's bounds ask for."""
    rows = []
    for row, name in reported(TightRow):
        command = row.command.replace("{}", name)
        found = ask(command)
        rows.append([prose(row.words), value_of(found), found.paper.value if found.paper else NO_BOUND, code(command)])
    header = ["what", "exact (certified)", "the paper's bound", "command"]
    return table(header, rows, "Tight values beside the paper's bounds")


def value_of(found: NumberAnswer) -> str:
    """The value for a table: exact if it is short, else its enclosure's digits."""
    if found.exact is not None and len(found.exact) < LONGEST_IN_TABLE:
        return found.exact
    return found.lower if found.lower == found.upper else f"[{found.lower}, {found.upper}]"


def code(command: str) -> Markup:
    """A command line."""
    return tag("code", f"panshuffle {command}")


@dataclass(frozen=True)
class Figure:
    """A drawing with its points: the lines (label, points) and the commands behind them."""

    drawing: Drawing
    lines: tuple[tuple[str, Points], ...]
    commands: tuple[str, ...]


def figures() -> Iterator[Figure]:
    """All figures, one by one."""
    for drawing, name in reported(Drawing):
        asked = [(label, command.replace("{}", name), read) for label, command, read in drawing.lines]
        lines = tuple((label, points(drawing.xs, command, read)) for label, command, read in asked)
        yield Figure(drawing, lines, tuple(dict.fromkeys(command for _, command, _ in asked)))


def points(xs: Sequence[str], command: str, read: str) -> Points:
    """The points of a line, one for each X in the command; absent values are left out."""
    found = [(x, ask(re.sub(r"\bX\b", x, command))) for x in xs]
    texts = [(x, one.upper if read == EXACT else one.paper.value if one.paper else None) for x, one in found]
    return tuple((float(parse(x)), float(text)) for x, text in texts if text is not None)


STYLES = (("#1b1b1b", "-", "o"), ("#b35806", "--", "s"), ("#2166ac", ":", "^"), ("#5e3c99", "-.", "d"))


def drawn(figure: Figure) -> Markup:
    """The figure as SVG with its data and its commands."""
    drawing = figure.drawing
    picture, axes = pyplot().subplots(figsize=(6.4, 3.8), layout="constrained")
    for (label, points), (colour, dash, mark) in zip(figure.lines, STYLES, strict=False):
        if points:
            xs, ys = zip(*points, strict=True)
            axes.plot(xs, ys, color=colour, linestyle=dash, marker=mark, markersize=4, label=label)
    axes.set_xscale("log" if drawing.log_x else "linear")
    axes.set_yscale("log" if drawing.log_y else "linear")
    axes.set_xlabel(drawing.x)
    axes.set_ylabel(drawing.y)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize=8)
    svg = inlined(svg_of(picture, "Date", "Creator"), drawing)
    return tag("figure", tag("figcaption", drawing.title), svg, data_table(figure), id=f"figure-{drawing.slug}")


def inlined(text: str, drawing: Drawing) -> Markup:
    """The picture without metadata, with names that are unique on the page."""
    body = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    for mark in ('id="', "url(#", 'href="#'):
        body = body.replace(mark, f"{mark}{drawing.slug}-")
    return Markup(body.replace("<svg ", f'<svg role="img" aria-label="{drawing.title}" ', 1))


def data_table(figure: Figure) -> Markup:
    """The points of a figure, and the commands that give them, folded."""
    rows = [[label, f"{x:g}", f"{y:.10g}"] for label, points in figure.lines for x, y in points]
    asked = joined([tag("p", code(command)) for command in figure.commands])
    inside = table(["line", figure.drawing.x, figure.drawing.y], rows, f"Data: {figure.drawing.title}")
    return tag("details", tag("summary", "the numbers, and the commands that give them"), asked, inside)


def figure_1() -> Markup:
    """The cells of the paper's Figure 1 with numbers."""
    rows = []
    for cell in FIGURE_1:
        values = [cell.value(k, real(1), real("1e-6"), real("1/4")) for k in (100, 10_000)]
        shown = [Certified.of(value).enclosure(4)[1] for value in values]
        rows.append([cell.task, cell.model, cell.kind, *shown, tag("a", cell.slug, href=f"#{cell.slug}")])
    header = ["task", "model", "bound", "k = 100", "k = 10,000", "statement"]
    return table(
        header, rows, "Figure 1 with ε = 1, δ = 10⁻⁶, α = 1/4 and the constant 1 wherever the paper has O or Ω"
    )
