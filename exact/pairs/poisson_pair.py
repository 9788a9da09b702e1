"""Both pools of P_UT that a changed user touches, as one view.

With O, Z independent Pois(mu), a pool shows (x, y) = (O + 1, Z) under `upper` and (O, Z + 1) under `lower`, with
likelihood ratio x/y; the other pool shows the same with ones and zeros exchanged.  So the pair is the pool taken
twice, and an event of the pair is x1*x2 > E*y1*y2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from math import log2

import numpy as np
import numpy.typing as npt
from flint import arb, ctx
from panshuffle.exact.laws.integer_law import UNIT, DoubleLaw, Doubles
from panshuffle.exact.laws.noise import (
    poisson_lower_ball,
    poisson_mass_ball,
    poisson_masses,
    poisson_upper_ball,
    poisson_window,
)
from panshuffle.exact.pairs.opposite_shifts import poisson_pool_delta
from panshuffle.exact.real import Real, log, scaled_bounds, sqrt

SMALL_MEAN, LARGEST_MEAN = 20, 150
COARSE_PRECISION, SORTED_PRECISION = 64, 128
"""Up to the second one extended precision is enough."""
FIRST_BITS, LEAST_THRESHOLD_BITS = 128, 4096
HUGE_LOG = 1 << 20
"""An e^eps beyond e^(2^20) is not written out: the means that are allowed are far below it."""


def ordered_cells(size: int) -> list[tuple[int, int]]:
    """The cells (x, y) with 0 <= x, y <= size, without (0, 0), by falling ratio x/y.

    Quotients of integers below 2^20 differ by more than a double's rounding, and equal ones round alike, so
    doubles order them exactly.
    """
    if size >= 1 << 20:
        raise ValueError("too many cells to order by doubles")
    cells = [(x, y) for x in range(size + 1) for y in range(size + 1) if x or y]
    return sorted(cells, key=lambda cell: cell[0] / cell[1] if cell[1] else float("inf"), reverse=True)


def poisson_pair_delta(mu: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of delta at e^eps for the pair.

    Balls over all cells give every digit for small means; extended precision gives about thirteen for means up to
    some thousands; a table of one pool's curve gives three to five beyond.
    """
    if is_beyond(mu, exp_eps, precision):
        return beyond_all_ratios(mu, precision)
    if mu <= SMALL_MEAN or (precision > SORTED_PRECISION and mu <= LARGEST_MEAN):
        return poisson_pair_cells(mu, exp_eps, precision)

    rough = poisson_pair_bounds(mu, exp_eps, COARSE_PRECISION)
    if precision <= COARSE_PRECISION and mu > LARGEST_MEAN:
        return rough
    near = rough if rough > 0 else poisson_pair_bounds(mu, exp_eps, precision)
    found = poisson_pair_sorted(mu, exp_eps, float(near.mid()))
    return poisson_pair_bounds(mu, exp_eps, precision) if found is None else found


def is_beyond(mu: Real, exp_eps: Real, precision: int) -> bool:
    """Whether a finite ratio above E needs a count that hardly ever happens: x1*x2 > E, with y1, y2 >= 1."""
    bits = log(exp_eps).ball(64)
    return bits > HUGE_LOG or bits > 2 * log(16 * mu + 4 * precision + 64).ball(64)


def beyond_all_ratios(mu: Real, precision: int) -> arb:
    """delta where only an empty y tells `upper` from `lower`.

    Beyond E that is all but the chance of x1 or x2 >= sqrt(E) >= b = 16 mu + 4 precision + 64 >= 16 mu, where
    P[Pois(mu) >= b - 1] <= (e mu/(b-1))^(b-1) <= 4^-(b-1).
    """
    with ctx.workprec(precision + 32):
        empty, count = (-mu.ball_here()).exp(), 16 * mu.ball_here() + 4 * precision + 63
        return 2 * empty - empty * empty + arb(0).union(2 * (-count * arb(4).log()).exp())


def poisson_pair_cells(mu: Real, exp_eps: Real, precision: int) -> arb:
    """The same by summing over all cells.

    For each cell of one pool the other pool contributes the cells of ratio above E*y/x, which are a prefix of
    the order; both run monotonically, so the work after ordering is linear.  Each of the four counts leaves out
    a tail, which adds at most its mass under `upper` and takes away at most E times its mass under `lower`.
    """
    masses, tail = poisson_masses(mu, precision)
    cells = ordered_cells(len(masses))
    with ctx.workprec(precision + 32):
        padded = [arb(0), *masses, arb(0)]
        upper = [padded[x] * padded[y + 1] for x, y in cells]
        lower = [padded[x + 1] * padded[y] for x, y in cells]
        above_upper = list(accumulate(upper, initial=arb(0)))
        above_lower = list(accumulate(lower, initial=arb(0)))
        factor = exp_eps.ball_here()
        total = arb(0)
        for cell, prefix in zip(range(len(cells)), prefixes(cells, exp_eps, precision), strict=True):
            total += upper[cell] * above_upper[prefix] - factor * lower[cell] * above_lower[prefix]
        left_out = 4 * tail + arb(2) ** (8 - threshold_bits(precision))
        return total + (-factor * left_out).union(left_out)


def prefixes(cells: Sequence[tuple[int, int]], exp_eps: Real, precision: int) -> list[int]:
    """For each cell (x2, y2) in order, how many cells (x1, y1) satisfy x1*x2 > E*y1*y2.

    The number falls as the ratio of (x2, y2) does.  The first bits of E, which settle almost all, are looked up once.
    """
    low, high = scaled_bounds(exp_eps, FIRST_BITS)
    result, count = [], len(cells)
    for x2, y2 in cells:
        while count:
            x1, y1 = cells[count - 1]
            left, right = x1 * x2, y1 * y2
            shifted = left << FIRST_BITS
            if shifted > high * right or (shifted > low * right and exceeds(left, right, exp_eps, precision)):
                break
            count -= 1
        result.append(count)
    return result


def threshold_bits(precision: int) -> int:
    """How many bits of E a threshold is compared with."""
    return max(LEAST_THRESHOLD_BITS, 4 * precision)


def exceeds(left: int, right: int, exp_eps: Real, precision: int = 0) -> bool:
    """left > E*right for whole numbers; what `threshold_bits` do not settle is not counted.

    Such cells are so close to a tie that all of them together matter less than 2^-threshold_bits.
    """
    bits = FIRST_BITS
    while bits <= 2 * threshold_bits(precision):
        low, high = scaled_bounds(exp_eps, bits)
        if left << bits > high * right:
            return True
        if left << bits <= low * right:
            return False
        bits *= 2
    return False


# The pair of Poisson pools by its cells, for means of some thousands, in extended precision.
#
# An event of the pair is x1*x2 > E*y1*y2; for each cell of one pool the cells of the
# other that belong to it are a prefix of the order by falling ratio x/y.  Rounding, with u the unit roundoff of the
# extended type: masses are known to a relative error of 2^-60 (the number of cells is limited so that none is a
# subnormal double).  A prefix sum is a running sum within a block of b cells plus a running sum over c blocks, all
# terms non-negative, so its relative error is at most (b + c + 4)u on top; the final sum is pairwise.  The relative
# errors are multiplied by gain and cost and added to both ends.  Ratios are compared in doubles: a pair of cells with
# x1*x2 within a factor 1 +- 2^-48 of E*y1*y2 is left out.  It adds nothing where it is a tie, and at most 2^-47 of its
# mass under `upper` else; that mass is summed.


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
    sure, most = prefix_bounds(cells.minus_ratios, exp_eps)
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
        LAST[mu, first, last] = build_sorted_cells(mu, first, last)
    return LAST[mu, first, last]


def build_sorted_cells(mu: Real, first: int, last: int) -> Cells:
    """Build the sorted cells, bypassing the cache."""
    masses, outside = extended_window(mu, first, last)
    minus_ratios, rows, columns = by_falling_ratio(first, len(masses) - 1)
    upper, lower = masses[rows] * masses[columns + 1], masses[rows + 1] * masses[columns]
    return Cells(minus_ratios, upper, lower, running(upper), running(lower), outside)


def by_falling_ratio(first: int, size: int) -> tuple[npt.NDArray[np.float64], Indices, Indices]:
    """Minus the ratios of the cells of that many counts from the first one on, and the two counts, by falling ratio."""
    ones = np.arange(first, first + size, dtype=np.float64)
    minus = -np.divide.outer(ones, np.where(ones == 0, np.nan, ones)).ravel()
    minus[np.isnan(minus)] = -np.inf
    order = np.argsort(minus, kind="stable").astype(np.int32)
    return minus[order], order // size, order % size


def prefix_bounds(minus_ratios: npt.NDArray[np.float64], exp_eps: Real) -> tuple[Places, Places]:
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


# The pair of Poisson pools from a table of one pool's curve: a certified interval for every mean.
#
# Write SP(t), SQ(t) for the probability under `upper` and `lower` that a pool's ratio x/y exceeds t, and H(e) = SP(e)
# - e*SQ(e), the pool's curve, which is convex.  With r the ratio of the second pool, delta(E) = sum over its cells of
# upper(cell) * H(E/r). H lies below the chords between its values at the nodes of the table, and above the line SP(c)
# - e*SQ(c) of every node c.  In a bucket s < r <= t of the second pool, H(E/r) is below the chord over [E/t, E/s]
# between such chords' values at its ends.  Lines are linear in 1/r, and the sum of upper(cell)/r over cells is that of
# lower(cell).  So the two bounds of a bucket need its two masses only, and they differ in second order of its width.
# The table does not depend on E.
#
# Rounding: masses and tails of Pois(mu) have a relative error of at most `error`; SP and SQ are sums of n non-negative
# products of them, so each has one of at most 2 `error` + (n + 4) * 2^-53 however it is added up.  What lies outside
# of the window counts in full, against the bound.  Products that underflow are wrong by less than 1e-320 each, which
# 1e-300 covers; no answer below 1e-250 is taken from the table.


Ratios = npt.NDArray[np.int64]

GRID_BITS = 32
PRODUCT_BITS = 62
"""Products of ratios and counts stay below this many bits."""
WORK = 1e8
"""This many products are summed for the table, in about a second."""
NODES = (300, 600, 12_000)
"""This many are the least, enough to decide most comparisons, and the most that help."""
CENTRE = 5.0
"""The nodes lie densely this many deviations around 1, and more and more sparsely beyond."""
LARGEST_OFFSET = 6.0
"""Logarithms of ratios beyond this matter for small means only, which have no table."""
WINDOWS = ((200, 20), (900, 45))
"""A window leaves out about 2^-bits, and the nodes reach this many deviations; the second one is for a small delta."""
ROUGH = 64
LEAST, UNDERFLOW = 1e-250, 1e-300
MOST_PRECISION = 256
LARGEST_TABLE_MEAN = 10**10
FAR_MEAN = 10**7
"""Beyond this mean a delta that can't be in the table is bounded at once: one pool's takes long there."""
CHUNK = 1 << 14
"""This many counts are summed at a time: what is needed of them stays in the fast memory of a processor."""
LARGEST_TABLE_EXP_EPS = 64
WORKING_BITS = 96


@dataclass(frozen=True)
class TailedLaw(DoubleLaw):
    """The same with upper tails: P[X >= first], P[X >= first + 1], ..., and 0 beyond the last mass."""

    tails: Doubles = field(kw_only=True)

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """The values that have masses."""
        return np.arange(self.first, self.first + len(self.masses), dtype=np.int64)


@dataclass(frozen=True)
class Table:
    """SP and SQ at the nodes, within a relative `error` and up to an absolute `slack`."""

    nodes: Doubles
    sp: Doubles
    sq: Doubles
    error: float
    slack: float

    @cached_property
    def curve(self) -> tuple[Doubles, Doubles]:
        """Points on or above H, from H(0) = 1 on; the last node's value stands for all beyond."""
        found = self.sp * (1 + self.error) + self.slack - self.nodes * self.sq * (1 - self.error) * (1 - 4 * UNIT)
        values = np.minimum.accumulate(found.clip(0))
        return np.concatenate([[0.0], self.nodes]), np.concatenate([[1.0], values])

    def at_most(self, points: Doubles) -> Doubles:
        """H at these points, from above."""
        nodes, values = self.curve
        right = np.searchsorted(nodes, points).clip(1, len(nodes) - 1)
        part = ((points - nodes[right - 1]) / (nodes[right] - nodes[right - 1])).clip(0, 1)
        found: Doubles = values[right - 1] * (1 - part + 8 * UNIT) + values[right] * (part + 8 * UNIT)
        return found

    @cached_property
    def buckets(self) -> tuple[Doubles, Doubles, Doubles, Doubles]:
        """The masses of the buckets between nodes: under `upper` from above and below, under `lower` likewise."""
        more, less = 1 + self.error, 1 - self.error
        ups = (self.sp[:-1] * more - self.sp[1:] * less + self.slack).clip(0)
        downs = (self.sp[:-1] * less - self.sp[1:] * more - self.slack).clip(0)
        costs = (self.sq[:-1] * more - self.sq[1:] * less + self.slack).clip(0)
        least = (self.sq[:-1] * less - self.sq[1:] * more - self.slack).clip(0)
        return ups, downs, costs, least

    def upper_bound(self, e_low: float, e_high: float) -> float:
        """The sum over buckets of the chords; what lies beyond the nodes counts in full, or with H at the end."""
        a, b = e_low / self.nodes[1:] * (1 - 4 * UNIT), e_high / self.nodes[:-1] * (1 + 4 * UNIT)
        at_b = self.at_most(b)
        at_a = self.at_most(a).clip(at_b)
        masses, _, _, costs = self.buckets
        weights = ((e_low * costs * (1 - 4 * UNIT) - a * masses * (1 + 4 * UNIT)) / (b - a)).clip(0) * (1 - 8 * UNIT)
        parts = masses * at_a - (at_a - at_b) * weights
        beyond = self.sp[-1] * (1 + self.error) + float(self.at_most(e_low / self.nodes[:1])[0]) + 2 * self.slack
        rounding = 16 * UNIT * float((masses * at_a).sum() + (at_a * weights).sum()) * len(parts)
        return float(parts.sum() + beyond) + rounding

    def lower_bound(self, e_low: float, e_high: float) -> float:
        """The sum over buckets of upper * SP(c) - E * lower * SQ(c): an event's advantage, so a bound for any c."""
        middle = np.sqrt(e_low * e_high) / np.sqrt(self.nodes[:-1] * self.nodes[1:])
        right = np.searchsorted(self.nodes, middle).clip(1, len(self.nodes) - 1)
        near = np.where(middle - self.nodes[right - 1] < self.nodes[right] - middle, right - 1, right)
        _, masses, costs, _ = self.buckets
        gains = masses * self.sp[near] * (1 - self.error)
        losses = e_high * (1 + 4 * UNIT) * costs * (self.sq[near] * (1 + self.error) + self.slack)
        rounding = 8 * UNIT * float((gains + losses).sum()) * len(gains)
        return float((gains - losses).sum()) - rounding


def poisson_pair_bounds(mu: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of delta at e^eps for the pair of pools.

    Outside the range of the table it is the interval from one pool's delta to twice one pool's at eps/2.  At a low
    precision a delta that is too small for the near window is only known to be that small.
    """
    if mu > FAR_MEAN and (far := far_bound(mu, exp_eps)) < LEAST:
        return far
    if not (mu > LARGEST_TABLE_MEAN or exp_eps > LARGEST_TABLE_EXP_EPS):
        rough = precision <= ROUGH
        low, high = table_bounds(mu, exp_eps, rough)
        if low > LEAST or rough:
            with ctx.workprec(WORKING_BITS):
                return arb(max(low - UNDERFLOW, 0.0)).union(arb(high + UNDERFLOW))
    return between_pools(mu, exp_eps, min(precision, MOST_PRECISION))


def far_bound(mu: Real, exp_eps: Real) -> arb:
    """From delta at infinite eps to the chance that a count is off by the factor r = E^(1/4), by Chernoff's inequality.

    Where x1, x2 <= r mu and y1, y2 >= mu/r, x1*x2 <= E*y1*y2.  A count beyond s mu, on the side of s away from 1, has
    a probability of at most e^(-mu (s ln s - s + 1)); x is the noise and one more.
    """
    with ctx.workprec(WORKING_BITS):
        mean, factor = mu.ball_here(), exp_eps.ball_here().root(4)
        chances = [(-mean * (s * s.log() - s + 1)).exp() for s in ((factor - 1 / mean).max(arb(1)), 1 / factor)]
        empty = (-mean).exp()
        return (2 * empty - empty * empty).union((2 * sum(chances, arb(0))).upper().min(arb(1)))


@lru_cache(maxsize=256)
def between_pools(mu: Real, exp_eps: Real, precision: int) -> arb:
    """From one pool's delta, or that at infinite eps if it is more, to twice one pool's at eps/2, by composition."""
    one, half = poisson_pool_delta(mu, exp_eps, precision), poisson_pool_delta(mu, sqrt(exp_eps), precision)
    with ctx.workprec(precision):
        empty = (-mu.ball_here()).exp()
        return one.max(2 * empty - empty * empty).union(2 * half)


def table_bounds(mu: Real, exp_eps: Real, rough: bool = False) -> tuple[float, float]:
    """(lower, upper): roughly from few nodes, or with a wider window where delta is very small."""
    e_low, e_high = (end / 2**GRID_BITS for end in scaled_bounds(exp_eps, GRID_BITS))  # exact: below 2^53 / 2^32
    low, high = 0.0, 1.0
    for bits, reach in WINDOWS[:1] if rough else WINDOWS:
        table = table_of(mu, bits, reach, NODES[:2] if rough else NODES[::2])
        low, high = max(low, table.lower_bound(e_low, e_high)), min(high, table.upper_bound(e_low, e_high))
        if low > 2.0 ** (-bits + 60):
            break
    return low, high


def table_of(mu: Real, bits: int, reach: int, nodes: tuple[int, int]) -> Table:
    """The table of Pois(mu), with a window that leaves out 2^-bits and nodes that reach the given number of deviations.

    There are between the two numbers of nodes, as the work allows.
    """
    count = int(min(max(WORK / len(window_of(mu, bits).masses), nodes[0]), nodes[1]))
    return new_table(mu, bits, reach, count)


@lru_cache(maxsize=4)
def new_table(mu: Real, bits: int, reach: int, count: int) -> Table:
    """The same with the given number of nodes."""
    window = window_of(mu, bits)
    dense = CENTRE * (2.0 / float(mu)) ** 0.5
    offsets = dense * np.sinh(np.linspace(-1, 1, count) * np.arcsinh(reach / CENTRE))
    offsets = offsets[abs(offsets) < LARGEST_OFFSET]
    grid = min(GRID_BITS, PRODUCT_BITS - 2 - int(window.counts[-1]).bit_length() - int(2 * offsets[-1]))
    ratios = np.unique((np.exp(offsets) * 2.0**grid).astype(np.int64))
    sp, sq = exceedances(window, ratios, grid)
    error = 2 * window.error + (len(window.masses) + 8) * UNIT
    return Table(ratios / 2.0**grid, sp, sq, error, 4 * window.outside)


@lru_cache(maxsize=2)
def window_of(mu: Real, bits: int) -> TailedLaw:
    """A window outside of which Pois(mu) has a mass of about 2^-bits."""
    mean = mu.floor()
    spread = int((1.4 * bits * (mean + bits)) ** 0.5) + bits
    first, last = max(0, mean - spread), mean + spread
    centre = poisson_mass_ball(mu, mean, WORKING_BITS)
    before, beyond = poisson_lower_ball(mu, first - 1, WORKING_BITS), poisson_upper_ball(mu, last + 1, WORKING_BITS)
    start, rate = np.array([float(centre.mid())]), float(mu)
    above = np.cumprod(np.concatenate([start, rate / np.arange(mean + 1, last + 1, dtype=np.float64)]))
    below = np.cumprod(np.concatenate([start, np.arange(mean, first, -1, dtype=np.float64) / rate]))
    masses = np.concatenate([below[:0:-1], above])
    tails = np.append(np.cumsum(masses[::-1])[::-1] + float(beyond.mid()), 0.0)
    outside = float((beyond + before).upper()) * 1.01
    return TailedLaw(first, masses, (6 * len(masses) + 16) * UNIT, outside, tails=tails)


def exceedances(window: TailedLaw, ratios: Ratios, grid: int) -> tuple[Doubles, Doubles]:
    """(SP, SQ) at ratios k/2^grid, each within the window's relative error and its outside mass."""
    upper, lower = np.zeros(len(ratios)), np.zeros(len(ratios))
    for start in range(0, len(window.masses), CHUNK):
        part = slice(start, start + CHUNK)
        counts, masses = window.counts[part], window.masses[part]
        for i, ratio in enumerate(ratios):
            scaled = ratio * counts
            upper[i] += (masses * tail_at(window, scaled >> grid)).sum()
            lower[i] += (masses * tail_at(window, ((scaled + ratio) >> grid) + 1)).sum()
    return upper, lower


def tail_at(window: TailedLaw, thresholds: Ratios) -> Doubles:
    """P[Pois >= threshold] for each threshold; that of the window's first below it, and 0 above it."""
    thresholds -= window.counts[0]
    found: Doubles = window.tails[thresholds.clip(0, len(window.masses))]
    return found
