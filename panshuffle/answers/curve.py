"""The certified curve of delta over eps."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from panshuffle.answer import NumberAnswer, Point, digits_of, kind_of, write
from panshuffle.answers.privacy import asked_view, is_of_protocol
from panshuffle.card import card, refuse_file
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.real import Certified, Real, exp
from panshuffle.output import with_progress
from panshuffle.question import Json, Question, number, whole

MOST_POINTS = 10_000
COLUMNS = ("eps", "lower", "upper", "paper")
Row = tuple[str, str, str, str]


@dataclass(frozen=True, kw_only=True, repr=False)
class CurveAnswer(NumberAnswer):
    """A curve: eps, lower, upper and the paper's bound at each point, as decimals; empty where there is no bound."""

    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, Json]:
        """The curve as one JSON object."""
        table: list[Json] = [dict(zip(COLUMNS, row, strict=True)) for row in self.rows]
        return {**self.head(), "scope": self.scope, "rows": table}

    def __str__(self) -> str:
        return "\n".join(",".join(row) for row in (COLUMNS, *self.rows))

    def show(self, as_json: bool, certificate: str | None, output: str | None) -> int:
        """Draws the curve, or writes it as CSV."""
        if output is not None and not output.endswith(".csv"):
            from panshuffle.plotting import curve_figure, save

            save(curve_figure(self.question.subject, self.parameters, self.rows), output)
        elif as_json:
            print(json.dumps(self.as_dict()))
        else:
            write(output, f"{self}\n")
        return 0

    def picture(self) -> str:
        """The curve as SVG; empty where matplotlib is missing."""
        from panshuffle.plotting import curve_svg

        return curve_svg(self.question.subject, self.parameters, self.rows)


def resolve(question: Question) -> Callable[[], CurveAnswer]:
    """The question, checked."""
    digits, grid = digits_of(question), grid_of(question)
    if is_of_protocol(question):
        refuse_file(question)
        card(question.subject)
    find_view = asked_view(question)

    def find() -> CurveAnswer:
        asked = find_view()
        view, parameters = asked.view, {name: text for name, text in asked.parameters.items() if question.has(name)}
        rows, first = tuple(row_of(view, eps, digits) for eps in with_progress(grid, "curve")), exp(grid[0])
        about = ("delta", view.delta(first), digits, parameters, view.scope, kind_of(view), view.why)
        return CurveAnswer(question, *about, rows=rows)

    return find


def grid_of(question: Question) -> list[Real]:
    """The eps to read at, as exact numbers."""
    start, stop = number("from", question.text("from")), number("to", question.text("to"))
    points = whole("points", question.text("points"), 2)
    if not start >= 0:
        raise ParameterError("from", question.text("from"), "a finite number, at least 0")
    if not stop > start:
        raise ParameterError("to", question.text("to"), "above --from")
    if points > MOST_POINTS:
        raise ParameterError("points", points, f"at most {MOST_POINTS}")
    return [start + (stop - start) * i / (points - 1) for i in range(points)]


def row_of(view: View, eps: Real, digits: int) -> Row:
    """eps, lower, upper and the paper's bound at one point."""
    lower, upper = view.delta(exp(eps)).enclosure(digits)
    printed = Point(exp(eps)).printed(view.paper)
    return Certified.of(eps).enclosure(12)[0], lower, upper, "" if printed is None else printed.value
