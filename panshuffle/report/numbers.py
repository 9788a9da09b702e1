"""The paper's bounds against the truth: a table and figures, each number with the command that gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from markupsafe import Markup

from panshuffle.answer import NumberAnswer, answer
from panshuffle.exact.accuracy.figure1 import FIGURE_1
from panshuffle.exact.real import Certified, parse, real
from panshuffle.latex.sentences import prose
from panshuffle.plotting import Line, draw, pyplot, ratios, svg_of, themed
from panshuffle.question import Question
from panshuffle.report.markup import joined, table, tag
from panshuffle.report.reported import EXACT, FORMULA, PAPER, REPORTED, Drawing, TightRow

Item = TypeVar("Item", TightRow, Drawing)
AMPLIFICATION = Drawing(
    8,
    "amplification",
    "ε of any 1-locally private randomizer behind a shuffler, δ = 10⁻⁶",
    "users n",
    "ε (nats)",
    ("1000", "3000", "10000", "30000", "100000", "300000", "1000000"),
    (("certified, both ends", "privacy local --eps0 1 --n X --at-delta 1e-6", EXACT),),
    seen=r"Shuffling makes the loss small, of the order $1/\sqrt{n}$; both ends hold for every such randomizer.",
    log_x=True,
)
"""A figure that is of no protocol's card."""
NO_BOUND = "no bound here"
LONGEST_IN_TABLE = 24
"""A longer exact value is left out of a table; the enclosure says it shorter."""


def reported(kind: type[Item]) -> list[tuple[Item, str]]:
    """What the cards ask the report to show of one kind, in its order, with the protocol's name."""
    found = [(item, name) for name, items in REPORTED.items() for item in items if isinstance(item, kind)]
    return sorted(found, key=lambda pair: pair[0].place)


@cache
def ask(command: str) -> NumberAnswer:
    """The answer that `panshuffle COMMAND` prints."""
    found = answer(Question.read(command))
    assert isinstance(found, NumberAnswer)
    return found


def tight_rows() -> Iterator[tuple[TightRow, str, NumberAnswer]]:
    """The rows of tight values, each with its command and the answer to it."""
    for row, name in reported(TightRow):
        command = row.command.replace("{}", name)
        yield row, command, ask(command)


def tight_table() -> Markup:
    """Least noise and true privacy loss beside what the paper's bounds ask for."""
    rows = [
        [prose(row.words), value_of(found), found.paper.value if found.paper else NO_BOUND, code(command)]
        for row, command, found in tight_rows()
    ]
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
    """A drawing with its lines and the commands behind them."""

    drawing: Drawing
    lines: tuple[Line, ...]
    commands: tuple[str, ...]


def figures() -> Iterator[Figure]:
    """All figures, one by one."""
    drawings = [*reported(Drawing), (AMPLIFICATION, "")]
    for drawing, name in drawings:
        asked = [(label, command.replace("{}", name), read) for label, command, read in drawing.lines]
        lines = tuple(
            Line(label, points(drawing.xs, text, read), "exact" if read == EXACT else "paper")
            for label, text, read in asked
        )
        yield Figure(drawing, lines, tuple(dict.fromkeys(text for _, text, read in asked if read != FORMULA)))


def points(xs: Sequence[str], command: str, read: str) -> tuple[tuple[float, float, float], ...]:
    """The points of a line, one for each X in the command or expression; absent values are left out."""
    if read == FORMULA:
        values = [Certified.of(real(parse(re.sub(r"\bX\b", f"({x})", command)))).enclosure(6) for x in xs]
        return tuple((float(parse(x)), float(low), float(high)) for x, (low, high) in zip(xs, values, strict=True))
    found = [(float(parse(x)), ask(re.sub(r"\bX\b", x, command))) for x in xs]
    if read == PAPER:
        return tuple((x, float(one.paper.value), float(one.paper.value)) for x, one in found if one.paper is not None)
    return tuple((x, float(one.lower), float(one.upper)) for x, one in found)


def drawn(figure: Figure) -> Markup:
    """The figure as SVG in the page's colours, with what is seen, its data and its commands."""
    drawing = figure.drawing
    picture, axes = pyplot().subplots(figsize=(5.2, 3.4))
    draw(axes, figure.lines, drawing.log_x, drawing.log_y)
    if drawing.log_y:
        ratios(axes, figure.lines)
    axes.set_xlabel(drawing.x)
    axes.set_ylabel(drawing.y)
    svg = themed(svg_of(picture, "Date", "Creator"))
    for mark in ('id="', "url(#", 'href="#'):  # names that are unique on the page
        svg = svg.replace(mark, f"{mark}{drawing.slug}-")
    shown = Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{drawing.title}" ', 1))
    seen = tag("p", prose(drawing.seen), class_="seen") if drawing.seen else Markup("")
    caption = tag("figcaption", prose(drawing.title))
    return tag("figure", caption, seen, shown, data_table(figure), id=f"figure-{drawing.slug}")


def data_table(figure: Figure) -> Markup:
    """The points of a figure, and the commands that give them, folded."""
    rows = [
        [line.label, f"{x:g}", f"{low:.10g}", f"{high:.10g}"] for line in figure.lines for x, low, high in line.points
    ]
    asked = joined([tag("p", code(command)) for command in figure.commands])
    header = ["line", figure.drawing.x, f"{figure.drawing.y}, at least", "at most"]
    inside = table(header, rows, f"Data: {figure.drawing.title}")
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
