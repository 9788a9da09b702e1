"""The paper's bounds against the truth: a table and figures, each number with the command that gives it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from markupsafe import Markup

from panshuffle.answer import NumberAnswer, answer
from panshuffle.exact.accuracy.figure1 import FIGURE_1
from panshuffle.exact.real import Certified, parse, real
from panshuffle.latex.sentences import prose
from panshuffle.plotting import Line, draw, pyplot, ratios, svg_of, themed
from panshuffle.question import Question
from panshuffle.template import filled

EXACT, PAPER, FORMULA = "exact", "paper", "formula"
NO_BOUND = "no bound here"
LONGEST_IN_TABLE = 24
"""A longer exact value is left out of a table; the enclosure says it shorter."""


@dataclass(frozen=True)
class TightRow:
    """A row of `reported.toml`: what it is about, the command, and the statement that it stands beside."""

    words: str
    command: str
    slug: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure of `reported.toml`: its title, axes and values of X; for each line its label, command and reading."""

    slug: str
    title: str
    x: str
    y: str
    xs: Sequence[str]
    lines: Sequence[tuple[str, str, str]]
    seen: str
    log_x: bool = False
    log_y: bool = True

    @cached_property
    def drawn(self) -> list[Line]:
        """The lines with their points."""
        return [
            Line(label, points(self.xs, text, read), EXACT if read == EXACT else PAPER)
            for label, text, read in self.lines
        ]

    @property
    def commands(self) -> list[str]:
        """The commands behind the lines."""
        return list(dict.fromkeys(text for _, text, read in self.lines if read != FORMULA))

    @property
    def rows(self) -> list[list[str]]:
        """The points of all lines as a table."""
        points = [(line.label, *point) for line in self.drawn for point in line.points]
        return [[label, f"{x:g}", f"{low:.10g}", f"{high:.10g}"] for label, x, low, high in points]


REPORTED = tomllib.loads(Path(__file__).with_name("reported.toml").read_text(encoding="utf-8"))
ROWS = [TightRow(**row) for row in REPORTED["row"]]
FIGURES = [Figure(**row) for row in REPORTED["figure"]]


@cache
def ask(command: str) -> NumberAnswer:
    """The answer that `panshuffle COMMAND` prints."""
    found = answer(Question.read(command))
    assert isinstance(found, NumberAnswer)
    return found


def tight_rows() -> Iterator[tuple[TightRow, NumberAnswer]]:
    """The rows of tight values, each with the answer to its command."""
    return ((row, ask(row.command)) for row in ROWS)


def value_of(found: NumberAnswer) -> str:
    """The value for a table: exact if it is short, else its enclosure's digits."""
    if found.exact is not None and len(found.exact) < LONGEST_IN_TABLE:
        return found.exact
    return found.lower if found.lower == found.upper else f"[{found.lower}, {found.upper}]"


def points(xs: Sequence[str], command: str, read: str) -> tuple[tuple[float, float, float], ...]:
    """The points of a line, one for each X in the command or expression; absent values are left out."""
    if read == FORMULA:
        values = [Certified.of(real(parse(re.sub(r"\bX\b", f"({x})", command)))).enclosure(6) for x in xs]
        return tuple((float(parse(x)), float(low), float(high)) for x, (low, high) in zip(xs, values, strict=True))
    found = [(float(parse(x)), ask(re.sub(r"\bX\b", x, command))) for x in xs]
    if read == PAPER:
        return tuple((x, float(one.paper.value), float(one.paper.value)) for x, one in found if one.paper is not None)
    return tuple((x, float(one.lower), float(one.upper)) for x, one in found)


def picture(figure: Figure) -> Markup:
    """The figure as SVG in the page's colours."""
    found, axes = pyplot().subplots(figsize=(5.2, 3.4))
    draw(axes, figure.drawn, figure.log_x, figure.log_y)
    if figure.log_y:
        ratios(axes, figure.drawn)
    axes.set_xlabel(figure.x)
    axes.set_ylabel(figure.y)
    svg = themed(svg_of(found, "Date", "Creator"))
    for mark in ('id="', "url(#", 'href="#'):  # names that are unique on the page
        svg = svg.replace(mark, f"{mark}{figure.slug}-")
    return Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{figure.title}" ', 1))


def tight_cells() -> list[list[str]]:
    """Least noise and true privacy loss beside what the paper's bounds ask for."""
    code = Markup("<code>panshuffle {}</code>")
    return [
        [prose(row.words), value_of(found), found.paper.value if found.paper else NO_BOUND, code.format(row.command)]
        for row, found in tight_rows()
    ]


def figure_1_cells() -> list[list[str]]:
    """The cells of the paper's Figure 1 with numbers."""
    rows = []
    for cell in FIGURE_1:
        values = [cell.value(k, real(1), real("1e-6"), real("1/4")) for k in (100, 10_000)]
        shown = [Certified.of(value).enclosure(4)[1] for value in values]
        link = Markup('<a href="#{slug}">{slug}</a>').format(slug=cell.slug)
        rows.append([cell.task, cell.model, cell.kind, *shown, link])
    return rows


def numbers(advance: Callable[[str], None]) -> Markup:
    """The figures, the table and Figure 1 with numbers; `advance` is called with the name of each before it is made."""
    drawn = []
    for figure in FIGURES:
        advance(figure.title)
        drawn.append((figure, picture(figure)))
    cells = {"tight": tight_cells(), "cells": figure_1_cells()}
    return filled("panshuffle.report", "numbers.html", figures=drawn, prose=prose, **cells)
