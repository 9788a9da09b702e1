"""The pair of Poisson pools by its cells, for means of some thousands, in extended precision.

As in `exact.pairs.poisson_pair`, an event of the pair is x1*x2 > E*y1*y2; for each cell of one pool the cells of the
other that belong to it are a prefix of the order by falling ratio x/y.  Rounding, with u the unit roundoff of the
extended type: masses are known to a relative error of 2^-60 (the number of cells is limited so that none is a subnormal
double).  A prefix sum is a running sum within a block of b cells plus a running sum over c blocks, all terms
non-negative, so its relative error is at most (b + c + 4)u on top; the final sum is pairwise.  The relative errors are
multiplied by gain and cost and added to both ends.  Ratios are compared in doubles: a pair of cells with x1*x2 within a
factor 1 +- 2^-48 of E*y1*y2 is left out.  It adds nothing where it is a tie, and at most 2^-47 of its mass under
`upper` else; that mass is summed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log2

import numpy as np
import numpy.typing as npt
from flint import arb, ctx
from panshuffle.exact.laws.noise import poisson_window
from panshuffle.exact.numbers.real import Real, scaled_bounds

Extended = npt.NDArray[np.longdouble]
Indices = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]

BLOCK, PART = 1024, 1 << 17
MARGIN_BITS = 60
MOST_CELLS = 3_000_000
"""They take a second and 300 MB."""
LEAST_ESTIMATE = 1e-280
LARGEST_SORTED_EXP_EPS = 1 << 40
EXTENDED_BITS = 128
CLOSE = 2.0**-48
MOST_TIED = 1 << 46
"""Whole numbers below this whose quotient is nearer to 1 than `CLOSE` are equal."""
MOST_CLOSE = 1_000_000
STEP_BITS = 16
"""How far out cells reach is a multiple of this, so that neighbouring points of a curve share them."""


@dataclass(frozen=True)
class Cells:
    """The cells by falling ratio, which does not depend on E: minus their ratios, masses under both laws, prefix sums.

    `outside` is the mass of a count that has no cell.
    """

    minus_ratios: npt.NDArray[np.float64]
    upper: Extended
    lower: Extended
    above_upper: Extended
    above_lower: Extended
    outside: arb


@lru_cache(maxsize=256)
def poisson_pair_sorted(mu: Real, exp_eps: Real, estimate: float) -> arb | None:
    """An enclosure of delta at e^eps to about thirteen digits; None where there would be too many cells.

    `estimate` is a value near delta, which only decides how far out the cells reach.
    """
    if not estimate > LEAST_ESTIMATE or exp_eps > LARGEST_SORTED_EXP_EPS:
        return None
    least = MARGIN_BITS - log2(estimate)
    for bits in (STEP_BITS * -(-least // STEP_BITS), least):
        first, last = reach(mu, bits)
        if (last - first + 3) ** 2 <= MOST_CELLS:
            break
    else:
        return None
    cells = cells_of(mu, first, last)
    sure, most = prefixes(cells.minus_ratios, exp_eps)
    close = 0.0 if ties_only(exp_eps, last) else close_mass(cells.upper, sure, most)
    if close is None:
        return None
    gains, costs, error = sums(cells, sure)
    with ctx.workprec(EXTENDED_BITS):
        value = exact_of(gains) - exp_eps.ball_here() * exact_of(costs)
        spread = error * (exact_of(gains) + exp_eps.ball_here() * exact_of(costs)).upper()
        left_out = 8 * (1 + exp_eps.ball_here()) * cells.outside
        return value + (spread + left_out).upper() * arb(0, 1) + arb(0).union(arb(2 * CLOSE * close))


def reach(mu: Real, bits: float) -> tuple[int, int]:
    """The counts outside of which Pois(mu) has a mass of about 2^-bits."""
    mean = mu.floor()
    spread = int((1.4 * bits * (mean + bits / 3)) ** 0.5) + 8
    return max(0, mean - spread), mean + spread


def extended_window(mu: Real, first: int, last: int) -> tuple[Extended, arb]:
    """Masses on first, ..., last in extended precision, with zeros around them, and the mass outside."""
    balls, before, beyond = poisson_window(mu, first, last, EXTENDED_BITS)
    if any(ball.rel_accuracy_bits() < 80 for ball in balls):
        raise ArithmeticError("the masses of a Poisson law lost their accuracy")
    with ctx.workprec(EXTENDED_BITS):
        masses = [np.longdouble(0), *map(extended, balls), np.longdouble(0)]
        return np.array(masses, dtype=np.longdouble), before + beyond


def extended(ball: arb) -> np.longdouble:
    """The middle of a ball as two doubles added: exact to 2^-60 in extended precision."""
    high = float(ball.mid())
    return np.longdouble(high) + np.longdouble(float((ball.mid() - arb(high)).mid()))


def exact_of(value: np.longdouble) -> arb:
    """An extended number as an exact ball."""
    high = float(value)
    return arb(high) + arb(float(value - np.longdouble(high)))


LAST: dict[tuple[Real, int, int], Cells] = {}
"""The cells of the last window; they are forgotten before others take their memory."""


def cells_of(mu: Real, first: int, last: int) -> Cells:
    """The cells of a window, in order."""
    if (mu, first, last) not in LAST:
        LAST.clear()
        LAST[mu, first, last] = ordered_cells(mu, first, last)
    return LAST[mu, first, last]


def ordered_cells(mu: Real, first: int, last: int) -> Cells:
    """The same, anew."""
    masses, outside = extended_window(mu, first, last)
    minus_ratios, rows, columns = by_falling_ratio(first, len(masses) - 1)
    upper, lower = masses[rows] * masses[columns + 1], masses[rows + 1] * masses[columns]
    return Cells(minus_ratios, upper, lower, running(upper), running(lower), outside)


def by_falling_ratio(first: int, size: int) -> tuple[npt.NDArray[np.float64], Indices, Indices]:
    """Minus the ratios of the cells of so many counts from the first one on, and the two counts, by falling ratio."""
    ones = np.arange(first, first + size, dtype=np.float64)
    minus = -np.divide.outer(ones, np.where(ones == 0, np.nan, ones)).ravel()
    minus[np.isnan(minus)] = -np.inf
    order = np.argsort(minus, kind="stable").astype(np.int32)
    return minus[order], order // size, order % size


def prefixes(minus_ratios: npt.NDArray[np.float64], exp_eps: Real) -> tuple[Places, Places]:
    """For each cell how many cells of the other pool are surely in the event with it, and how many may be."""
    e_low, e_high = (float(end) / 2.0**52 for end in scaled_bounds(exp_eps, 52))
    with np.errstate(divide="ignore"):
        minus_threshold = (e_low + e_high) / 2 / minus_ratios
    least = np.searchsorted(minus_ratios, minus_threshold * (1 + CLOSE), side="left")
    most = np.searchsorted(minus_ratios, minus_threshold * (1 - CLOSE), side="right")
    empty = (minus_threshold == 0) | np.isinf(
        minus_threshold
    )  # with a count of 0, where 0 > 0 is as false as in doubles
    return least, np.where(empty, least, most)


def ties_only(exp_eps: Real, last: int) -> bool:
    """Whether no pair of cells is close to the threshold but such as are on it."""
    e = exp_eps.fraction
    return e is not None and max(e.numerator, e.denominator) * (last + 1) ** 2 < MOST_TIED


def close_mass(upper: Extended | npt.NDArray[np.float64], least: Places, most: Places) -> float | None:
    """The mass under `upper` of the pairs that may be in the event, from above; None where they are too many."""
    (near,) = np.nonzero(most > least)
    if not len(near):
        return 0.0
    if int((most - least)[near].sum()) > MOST_CLOSE:
        return None
    return 1.001 * float(sum(upper[i] * upper[least[i] : most[i]].sum() for i in near)) + LEAST_ESTIMATE


def sums(cells: Cells, prefix: Places) -> tuple[np.longdouble, np.longdouble, float]:
    """(gains, costs, error): the masses of the pair's event under both laws, and their relative error."""
    gains, costs = np.longdouble(0), np.longdouble(0)
    for start in range(0, len(prefix), PART):
        part, above = slice(start, start + PART), prefix[start : start + PART]
        gains += (cells.upper[part] * cells.above_upper[above]).sum()
        costs += (cells.lower[part] * cells.above_lower[above]).sum()
    unit = float(np.finfo(np.longdouble).eps)
    error = (BLOCK + len(prefix) / BLOCK + 100) * unit + 8 * 2.0**-60
    return gains, costs, error


def running(values: Extended) -> Extended:
    """Sums of the first 0, 1, 2, ... values, by blocks."""
    count = -(-len(values) // BLOCK)
    padded = np.zeros(count * BLOCK, dtype=np.longdouble)
    padded[: len(values)] = values
    within = padded.reshape(count, BLOCK).cumsum(axis=1)
    before = np.concatenate([[np.longdouble(0)], within[:, -1].cumsum()[:-1]])
    within += before[:, None]
    return np.concatenate([[np.longdouble(0)], within.ravel()[: len(values)]])
