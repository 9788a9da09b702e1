"""The paper's bound, the exact value and the lower bound of Figure 1 for a plan's target, over a range of k."""

from __future__ import annotations

from exact.accuracy.figure1 import FIGURE_1
from exact.errors import ParameterError
from exact.numbers.certified import Certified
from exact.numbers.real import real
from panshuffle.figure import BoundRow
from panshuffle.output import with_progress
from panshuffle.planning import Target, Values

MOST_POINTS = 200
COLUMNS = ("k", "lower", "upper", "paper", "figure_1")


def rows_of(task: str, values: Values, k: int, target: Target, points: int) -> list[BoundRow]:
    """The rows for up to so many k from 4 to the given one."""
    rows = []
    for size in with_progress(sizes(k, points, values.step), "figure"):
        rows.append(BoundRow(size, *values.at(size), lower_bound(task, values, size, target)))
    return rows


def sizes(k: int, points: int, step: int = 1) -> list[int]:
    """Up to so many multiples of the step from 4 to k, each about the same factor from the next.

    >>> sizes(64, 5), sizes(6, 9, 2)
    ([4, 8, 16, 32, 64], [4, 6])
    """
    if k < 5:
        raise ParameterError("k", k, "at least 5, for a figure")
    if not 2 <= points <= MOST_POINTS:
        raise ParameterError("points", points, f"a whole number from 2 to {MOST_POINTS}")
    found = {4 * (k / 4) ** (i / (points - 1)) for i in range(points)}
    return sorted({min(k, step * round(x / step)) for x in found} | {k})


def lower_bound(task: str, values: Values, k: int, target: Target) -> str:
    """The figure's lower bound with constant 1 at the target's eps and delta."""
    wanted = (task, values.model, values.kind)
    cell = next(cell for cell in FIGURE_1 if (cell.task, cell.model, cell.kind) == wanted)
    alpha = values.alpha if values.alpha is not None else real(1)
    return Certified.of(cell.value(k, target.at_eps, target.at_delta, alpha)).enclosure(6)[0]
