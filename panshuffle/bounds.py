"""The paper's bound, the exact value and the lower bound of Figure 1 for a plan's target, over a range of k."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from exact import parameters as formulas
from exact.accuracy.figure1 import FIGURE_1
from exact.accuracy.tester import least_samples, paired_law, repaired, sufficient_samples
from exact.errors import InputError, ParameterError
from exact.numbers.certified import Certified
from exact.numbers.real import real
from panshuffle.output import with_progress
from panshuffle.plans import (
    LARGEST_SEARCHED,
    ROBUST,
    Target,
    calibrated,
    distance_of,
    error_of,
    measured_letters,
    messages_for,
    paper_distinct,
    private,
)

MOST_POINTS = 200
COLUMNS = ("k", "lower", "upper", "paper", "figure_1")
LOWER = {
    "distinct-elements": (ROBUST, "lower"),
    "uniformity": (ROBUST, "lower"),
    "histogram": ("central", "both"),
}
"""The cell of Figure 1 that is a lower bound of the task; for histograms there is that of the central model only."""
PAPER = {
    "distinct-elements": "paper's upper bound",
    "uniformity": "repaired theorem at the printed λ (the paper has no constant)",
    "histogram": "paper's upper bound",
}


class Row(NamedTuple):
    """One k: the enclosure of the exact value, the paper's bound and the figure's, as decimals, empty where absent."""

    k: int
    lower: str
    upper: str
    paper: str
    figure_1: str


Value = Callable[[int], tuple[str, str, str]]
"""(lower, upper, paper) at a k."""


def rows_of(task: str, n: int | None, k: int, target: Target, points: int) -> tuple[str, list[Row]]:
    """What the exact value is, and the rows for up to so many k from 4 to the given one."""
    what, value = VALUES[task](n, k, target)
    rows = []
    for size in with_progress(sizes(k, points, 2 if task == "uniformity" else 1), "figure"):
        rows.append(Row(size, *value(size), lower_bound(task, size, target)))
    return what, rows


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


def lower_bound(task: str, k: int, target: Target) -> str:
    """The figure's lower bound with constant 1 at the target's eps and delta."""
    model, kind = LOWER[task]
    cell = next(cell for cell in FIGURE_1 if (cell.task, cell.model, cell.kind) == (task, model, kind))
    alpha = target.alpha if task == "uniformity" and target.alpha is not None else real(1)
    return Certified.of(cell.value(k, target.at_eps, target.at_delta, alpha)).enclosure(6)[0]


def distinct_values(n: int | None, k: int, target: Target) -> tuple[str, Value]:
    """The least alpha of P_DE at the largest eps that the target allows, which does not depend on k."""
    if n is None:
        raise InputError("distinct-elements needs --n")
    protocol = "distinct-elements"
    m, eps = messages_for(protocol, {"n": str(n), "k": str(k)}, target.gamma, target)

    def value(size: int) -> tuple[str, str, str]:
        letters = measured_letters(protocol, n, size, {"n": str(n), "k": str(size), "eps": eps})
        error, _ = error_of(protocol, letters, target)
        paper = paper_distinct(n, size, real(target.gamma), target).get("alpha", "")
        return error["lower"], error["upper"], paper

    return f"alpha of distinct-elements, n = {n}, eps = {eps}, m = {m}", value


def histogram_values(n: int | None, k: int, target: Target) -> tuple[str, Value]:
    """The least alpha of the pan-private histogram or, where n is given, of the shuffle model's."""
    protocol, unknown = ("pan-histogram", "lam") if n is None else ("shuffle-histogram", "p")
    size_of = {} if n is None else {"n": str(n)}
    gamma = "1" if n is None else target.gamma
    noise = calibrated(protocol, private(size_of | {"k": str(k)}, gamma), target)
    paper = "" if n is not None else str(2 * formulas.lam_pan(target.at_eps / 2, target.at_delta / 2))

    def value(size: int) -> tuple[str, str, str]:
        error, _ = error_of(protocol, size_of | {"k": str(size), unknown: noise}, target)
        return error["lower"], error["upper"], paper

    return f"alpha of {protocol}, {unknown} = {noise}", value


def uniformity_values(n: int | None, k: int, target: Target) -> tuple[str, Value]:
    """The least m of the repaired tester against the paired alternative, and the theorem's at the printed lam."""
    if n is not None:
        raise InputError("--n has no meaning for a figure of uniformity, which is about the least m")
    alpha = distance_of(target, k)
    lam = calibrated("uniformity", private({"k": str(k)}, target.gamma), target)
    inner = (target.at_delta / 8) ** (1 / real(target.gamma))

    def value(size: int) -> tuple[str, str, str]:
        printed = formulas.lam_uniformity(size, target.at_eps / 2, inner)
        paper = str(sufficient_samples(size, real(printed), real(alpha)))
        if size > LARGEST_SEARCHED:
            return "", "", paper
        found = str(least_samples(repaired(size, real(Fraction(lam))), paired_law(size, alpha)).m)
        return found, found, paper

    return f"least m of uniformity, lam = {lam}, paired {alpha}", value


VALUES: dict[str, Callable[[int | None, int, Target], tuple[str, Value]]] = {
    "distinct-elements": distinct_values,
    "uniformity": uniformity_values,
    "histogram": histogram_values,
}
