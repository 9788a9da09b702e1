"""The pair of Poisson pools in floating point with proved rounding bounds: by its cells, and by a grid of its ratios.

*Cells*, for means of some thousands, in extended precision.  As in `exact.pairs.poisson_pair`, an event of the pair is
x1*x2 > E*y1*y2; for each cell of one pool the cells of the other that belong to it are a prefix of the order by falling
ratio x/y.  Rounding, with u the unit roundoff of the extended type: masses are known to a relative error of 2^-60 (the
number of cells is limited so that none is a subnormal double).  A prefix sum is a running sum within a block of b cells
plus a running sum over c blocks, all terms non-negative, so its relative error is at most (b + c + 4)u on top; the
final sum is pairwise.  A pair of cells with x1*x2 within a factor 1 +- 2^-49 of E*y1*y2 may be put on the wrong side,
which changes delta by at most 2^-49 of its mass under `upper`.  All such pairs together weigh at most (last+1)/mu times
the gain: with x1 + 1 in place of x1 they are counted there, with a mass that is mu/x1 times as large.  The relative
errors are multiplied by gain and cost and added to both ends.

*Grid*, for larger means: a certified interval.  Write SP(t), SQ(t) for the probability under `upper` and `lower` that a
pool's ratio x/y exceeds t, and H(e) = SP(e) - e*SQ(e), the pool's curve, which is convex.  With r the ratio of the
second pool,
    delta(E) = sum over its cells of upper(cell) * H(E/r).
Between two ratios s < t, H lies below its chord over any interval that contains [E/t, E/s], and above the line
SP(c) - e*SQ(c) for every c.  Both are linear in 1/r, and the sum of upper(cell)/r over cells is that of lower(cell).
So the two bounds of a bucket (s, t] need its two masses only, and they differ in second order of its width.

Rounding: masses and tails of Pois(mu) are enclosed by balls and converted to the nearest double (relative error at
most 2^-52); SP and SQ are sums of n non-negative products of them, so each has a relative error of at most
(n + 4) * 2^-52 however it is added up.  The bounds are evaluated with ends that are widened by that much.  Products
that underflow are wrong by less than 1e-320 each, which 1e-300 covers; no answer below 1e-250 is taken from the grid.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from math import log2

import numpy as np
import numpy.typing as npt
from flint import arb, ctx

from exact.laws.double_law import DoubleLaw, Doubles
from exact.laws.noise import poisson_window
from exact.numbers.real import Real, scaled_bounds, sqrt
from exact.pairs.opposite_shifts import poisson_pool_delta

Extended = npt.NDArray[np.longdouble]
Ratios = npt.NDArray[np.int64]

BLOCK = 1024
MARGIN_BITS = 60
MOST_CELLS = 1_700_000
LEAST_ESTIMATE = 1e-280
LARGEST_SORTED_EXP_EPS = 1 << 40
EXTENDED_BITS = 128

GRID_BITS = 32
COARSE, FINE = 150, 1500
NEAR, FAR = 200, 900
LEAST, UNDERFLOW = 1e-250, 1e-300
MOST_PRECISION = 256
LARGEST_GRID_MEAN = 1 << 21
LARGEST_GRID_EXP_EPS = 64
GRID_WORKING_BITS = 96


def poisson_pair_sorted(mu: Real, exp_eps: Real, estimate: float) -> arb | None:
    """An enclosure of delta at e^eps to about twelve digits; None where there would be too many cells.

    `estimate` is a value near delta, which only decides how far out the cells reach.
    """
    if not estimate > LEAST_ESTIMATE or exp_eps > LARGEST_SORTED_EXP_EPS:
        return None
    first, last = reach(mu, MARGIN_BITS - log2(estimate))
    if (last - first + 3) ** 2 > MOST_CELLS:
        return None
    masses, outside = extended_window(mu, first, last)
    gains, costs, error = sums(masses, first, exp_eps)
    error += 2.0**-48 * (1 + (last + 1) / float(mu))
    with ctx.workprec(EXTENDED_BITS):
        value = exact_of(gains) - exp_eps.ball_here() * exact_of(costs)
        spread = error * (exact_of(gains) + exp_eps.ball_here() * exact_of(costs)).upper()
        left_out = 8 * (1 + exp_eps.ball_here()) * outside
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


def sums(masses: Extended, first: int, exp_eps: Real) -> tuple[np.longdouble, np.longdouble, float]:
    """(gains, costs, error): the masses of the pair's event under both laws, and their relative error."""
    size = len(masses) - 1
    ones = np.arange(first, first + size, dtype=np.float64)
    ratio = np.divide.outer(ones, np.where(ones == 0, np.nan, ones)).ravel()
    ratio[np.isnan(ratio)] = np.inf
    order = np.argsort(-ratio, kind="stable").astype(np.int32)
    ratio = ratio[order]
    rows, columns = order // size, order % size
    upper, lower = masses[rows] * masses[columns + 1], masses[rows + 1] * masses[columns]
    e_low, e_high = (float(end) / 2.0**52 for end in scaled_bounds(exp_eps, 52))
    threshold = (e_low + e_high) / 2 / np.where(ratio == 0, np.nan, ratio)
    prefix = np.searchsorted(-ratio, -np.where(np.isnan(threshold), np.inf, threshold), side="left")
    gains = (upper * running(upper)[prefix]).sum()
    costs = (lower * running(lower)[prefix]).sum()
    unit = float(np.finfo(np.longdouble).eps)
    error = (BLOCK + len(order) / BLOCK + 100) * unit + 8 * 2.0**-60
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


Pair = tuple[Doubles, Doubles]
"""(SP, SQ) at some ratios."""


@dataclass(frozen=True)
class TailedLaw(DoubleLaw):
    """The same with upper tails: P[X >= first], P[X >= first + 1], ..., and 0 beyond the last mass."""

    tails: Doubles = field(kw_only=True)

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """The values that have masses."""
        return np.arange(self.first, self.first + len(self.masses), dtype=np.int64)


def poisson_pair_grid(mu: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of delta at e^eps for the pair of pools: a coarse grid up to 64 bits, a fine one beyond.

    Outside the range of the grid it is the interval from one pool's delta to twice one pool's at eps/2.
    """
    if not (mu > LARGEST_GRID_MEAN or exp_eps > LARGEST_GRID_EXP_EPS):
        low, high = grid_bounds(mu, exp_eps, COARSE if precision <= 64 else FINE)
        if low > LEAST:
            with ctx.workprec(GRID_WORKING_BITS):
                return arb(low - UNDERFLOW).union(arb(high + UNDERFLOW))
    return between_pools(mu, exp_eps, min(precision, MOST_PRECISION))


@lru_cache(maxsize=256)
def between_pools(mu: Real, exp_eps: Real, precision: int) -> arb:
    """From one pool's delta, or that at infinite eps if it is more, to twice one pool's at eps/2, by composition."""
    one, half = poisson_pool_delta(mu, exp_eps, precision), poisson_pool_delta(mu, sqrt(exp_eps), precision)
    with ctx.workprec(precision):
        empty = (-mu.ball_here()).exp()
        return one.max(2 * empty - empty * empty).union(2 * half)


@lru_cache(maxsize=256)
def grid_bounds(mu: Real, exp_eps: Real, buckets: int) -> tuple[float, float]:
    """(lower, upper) on a grid of so many buckets, with a wider window where delta is very small."""
    low, high = bounds(window_of(mu, NEAR), float(mu), exp_eps, buckets, 20)
    if low < 2.0 ** (-NEAR + 60):
        return bounds(window_of(mu, FAR), float(mu), exp_eps, buckets, 45)
    return low, high


@lru_cache(maxsize=4)
def window_of(mu: Real, bits: int) -> TailedLaw:
    """A window outside of which Pois(mu) has a mass of about 2^-bits."""
    mean = mu.floor()
    spread = int((1.4 * bits * (mean + bits)) ** 0.5) + bits
    first, last = max(0, mean - spread), mean + spread
    masses, before, beyond = poisson_window(mu, first, last, GRID_WORKING_BITS)
    with ctx.workprec(GRID_WORKING_BITS):
        tails = list(accumulate(reversed(masses), initial=beyond))[1:]
        outside = float((beyond + before).upper().mid()) * 1.01
    if not all(ball.rel_accuracy_bits() > 60 for ball in (masses[0], masses[-1], tails[-1], tails[0])):
        raise ArithmeticError("the masses of a Poisson law lost their accuracy")
    doubles = np.array([float(ball.mid()) for ball in masses])
    upper = np.array([*(float(ball.mid()) for ball in reversed(tails)), 0.0])
    return TailedLaw(first, doubles, (len(masses) + 8) * 2.0**-52, outside, tails=upper)


def exceedances(window: TailedLaw, ratios: Ratios) -> Pair:
    """(SP, SQ) at ratios k/2^32, each within the window's relative error and its outside mass."""
    upper, lower = np.empty(len(ratios)), np.empty(len(ratios))
    for i, ratio in enumerate(ratios):
        scaled = ratio * window.counts
        upper[i] = (window.masses * tail_at(window, scaled >> GRID_BITS)).sum()
        lower[i] = (window.masses * tail_at(window, ((scaled + ratio) >> GRID_BITS) + 1)).sum()
    return upper, lower


def tail_at(window: TailedLaw, thresholds: Ratios) -> Doubles:
    """P[Pois >= threshold] for each threshold; that of the window's first below it, and 0 above it."""
    thresholds -= window.counts[0]
    found: Doubles = window.tails[thresholds.clip(0, len(window.masses))]
    return found


def bounds(window: TailedLaw, mean: float, exp_eps: Real, buckets: int, reach: int) -> tuple[float, float]:
    """(lower, upper) bound of delta, both rounded outward; the nodes reach so many deviations beyond E and 1."""
    scale = 1 << GRID_BITS
    e_low, e_high = (end / scale for end in scaled_bounds(exp_eps, GRID_BITS))  # exact: below 2^53 / 2^32
    root, deviation = e_low**0.5, (2.0 / mean) ** 0.5
    half = reach * deviation + 0.5 * np.log(e_high)
    dense = 2 * deviation  # nodes are closest where both pools share the loss, at the root of E
    offsets = dense * np.sinh(np.linspace(-1, 1, buckets + 1) * np.arcsinh(half / dense))
    nodes = np.unique((np.exp(offsets) * root * scale).astype(np.int64))
    if int(nodes[-1]) * int(window.counts[-1] + 2) >= 1 << 62 or int(nodes[-1]) >= 1 << 52:
        return 0.0, 1.0  # products or quotients would leave their exact range
    outer_low = np.floor(e_low * scale / (nodes[1:] / scale)).astype(np.int64) - 4
    outer_high = np.ceil(e_high * scale / (nodes[:-1] / scale)).astype(np.int64) + 4
    middle = (outer_low + outer_high) // 2
    at_nodes = exceedances(window, nodes)
    return (
        lower_bound(window, at_nodes, middle, e_high),
        upper_bound(window, at_nodes, (outer_low, outer_high), e_low),
    )


def lower_bound(window: TailedLaw, at_nodes: Pair, middle: Ratios, e_high: float) -> float:
    """The sum over buckets of upper * SP(c) - E * lower * SQ(c): a set's advantage, so a lower bound for any c."""
    (upper, lower), error, outside = at_nodes, window.error, window.outside
    inner_upper, inner_lower = exceedances(window, middle)
    masses = upper[:-1] * (1 - error) - upper[1:] * (1 + error) - 4 * outside
    losses = lower[:-1] * (1 + error) - lower[1:] * (1 - error) + 4 * outside
    gains = masses.clip(0) * inner_upper * (1 - error)
    costs = e_high * (1 + error) * losses * (inner_lower * (1 + error) + 4 * outside)
    parts = gains - costs
    rounding = 8 * 2.0**-52 * float((gains + costs).sum()) * len(parts)
    return float(parts.sum()) - rounding


def upper_bound(window: TailedLaw, at_nodes: Pair, outer: tuple[Ratios, Ratios], e_low: float) -> float:
    """The sum over buckets of the chord's value; what lies beyond the nodes counts in full, or with H at the end."""
    (upper, lower), error, slack = at_nodes, window.error, 4 * window.outside
    (low_sp, low_sq), (high_sp, high_sq) = exceedances(window, outer[0]), exceedances(window, outer[1])
    a, b = outer[0] / (1 << GRID_BITS), outer[1] / (1 << GRID_BITS)
    at_b = curve_upper(high_sp, high_sq, b, error, slack)
    at_a = curve_upper(low_sp, low_sq, a, error, slack).clip(at_b)
    masses = upper[:-1] * (1 + error) - upper[1:] * (1 - error) + slack
    costs = (lower[:-1] * (1 - error) - lower[1:] * (1 + error) - slack).clip(0)
    weights = ((e_low * costs * (1 - error) - a * masses * (1 + error)) / (b - a)).clip(0) * (1 - error)
    parts = masses * at_a - (at_a - at_b) * weights
    beyond = upper[-1] * (1 + error) + at_a[0] + slack
    rounding = 16 * 2.0**-52 * float((masses * at_a).sum() + (at_a * weights).sum()) * len(parts)
    return float(parts.sum() + beyond) + rounding


def curve_upper(sp: Doubles, sq: Doubles, at: Doubles, error: float, slack: float) -> Doubles:
    """H from above at double arguments that are exact."""
    found: Doubles = sp * (1 + error) + slack - at * sq * (1 - error) * (1 - 2.0**-50)
    return found.clip(0)
