"""The pair of Poisson pools by its cells, for means of some thousands, in extended precision.

As in `exact.pairs.poisson_pair`, an event of the pair is x1*x2 > E*y1*y2; for each cell of one pool the cells of the
other that belong to it are a prefix of the order by falling ratio x/y.  Rounding, with u the unit roundoff of the
extended type: masses are known to a relative error of 2^-60 (the number of cells is limited so that none is a subnormal
double).  A prefix sum is a running sum within a block of b cells plus a running sum over c blocks, all terms
non-negative, so its relative error is at most (b + c + 4)u on top; the final sum is pairwise.  A pair of cells with
x1*x2 within a factor 1 +- 2^-49 of E*y1*y2 may be put on the wrong side, which changes delta by at most 2^-49 of its
mass under `upper`.  All such pairs together weigh at most (last+1)/mu times the gain: with x1 + 1 in place of x1 they
are counted there, with a mass that is mu/x1 times as large.  The relative errors are multiplied by gain and cost and
added to both ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import log2

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from exact.laws.noise import poisson_window
from exact.numbers.real import Real, scaled_bounds

Extended = npt.NDArray[np.longdouble]

BLOCK = 1024
MARGIN_BITS = 60
MOST_CELLS = 1_700_000
LEAST_ESTIMATE = 1e-280
LARGEST_SORTED_EXP_EPS = 1 << 40
EXTENDED_BITS = 128
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
    """An enclosure of delta at e^eps to about twelve digits; None where there would be too many cells.

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
    gains, costs, error = sums(cells, exp_eps)
    error += 2.0**-48 * (1 + (last + 1) / float(mu))
    with ctx.workprec(EXTENDED_BITS):
        value = exact_of(gains) - exp_eps.ball_here() * exact_of(costs)
        spread = error * (exact_of(gains) + exp_eps.ball_here() * exact_of(costs)).upper()
        left_out = 8 * (1 + exp_eps.ball_here()) * cells.outside
        return value + (spread + left_out).upper() * arb(0, 1)


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


@lru_cache(maxsize=1)
def cells_of(mu: Real, first: int, last: int) -> Cells:
    """The cells of a window, in order."""
    masses, outside = extended_window(mu, first, last)
    size = len(masses) - 1
    ones = np.arange(first, first + size, dtype=np.float64)
    ratio = np.divide.outer(ones, np.where(ones == 0, np.nan, ones)).ravel()
    ratio[np.isnan(ratio)] = np.inf
    order = np.argsort(-ratio, kind="stable").astype(np.int32)
    rows, columns = order // size, order % size
    upper, lower = masses[rows] * masses[columns + 1], masses[rows + 1] * masses[columns]
    return Cells(-ratio[order], upper, lower, running(upper), running(lower), outside)


def sums(cells: Cells, exp_eps: Real) -> tuple[np.longdouble, np.longdouble, float]:
    """(gains, costs, error): the masses of the pair's event under both laws, and their relative error."""
    e_low, e_high = (float(end) / 2.0**52 for end in scaled_bounds(exp_eps, 52))
    with np.errstate(divide="ignore"):
        minus_threshold = (e_low + e_high) / 2 / cells.minus_ratios
    prefix = np.searchsorted(cells.minus_ratios, minus_threshold, side="left")
    gains = (cells.upper * cells.above_upper[prefix]).sum()
    costs = (cells.lower * cells.above_lower[prefix]).sum()
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
