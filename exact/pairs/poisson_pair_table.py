"""The pair of Poisson pools from a table of one pool's curve: a certified interval for every mean.

Write SP(t), SQ(t) for the probability under `upper` and `lower` that a pool's ratio x/y exceeds t, and H(e) = SP(e) -
e*SQ(e), the pool's curve, which is convex.  With r the ratio of the second pool,
    delta(E) = sum over its cells of upper(cell) * H(E/r).
H lies below the chords between its values at the nodes of the table, and above the line SP(c) - e*SQ(c) of every node
c.  In a bucket s < r <= t of the second pool, H(E/r) is below the chord over [E/t, E/s] between such chords' values at
its ends.  Lines are linear in 1/r, and the sum of upper(cell)/r over cells is that of lower(cell).  So the two bounds
of a bucket need its two masses only, and they differ in second order of its width.  The table does not depend on E.

Rounding: masses and tails of Pois(mu) have a relative error of at most `error`; SP and SQ are sums of n non-negative
products of them, so each has one of at most 2 `error` + (n + 4) * 2^-53 however it is added up.  What lies outside of
the window counts in full, against the bound.  Products that underflow are wrong by less than 1e-320 each, which 1e-300
covers; no answer below 1e-250 is taken from the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
from flint import arb, ctx
from panshuffle.exact.laws.double_law import UNIT, DoubleLaw, Doubles
from panshuffle.exact.laws.noise import poisson_lower_ball, poisson_mass_ball, poisson_upper_ball
from panshuffle.exact.numbers.real import Real, scaled_bounds, sqrt
from panshuffle.exact.pairs.opposite_shifts import poisson_pool_delta

Ratios = npt.NDArray[np.int64]

GRID_BITS = 32
PRODUCT_BITS = 62
"""Products of ratios and counts stay below this many bits."""
WORK = 1e8
"""So many products are summed for the table, in about a second."""
NODES = (300, 600, 12_000)
"""So many are the least, enough to decide most comparisons, and the most that help."""
CENTRE = 5.0
"""The nodes lie densely so many deviations around 1, and more and more sparsely beyond."""
LARGEST_OFFSET = 6.0
"""Logarithms of ratios beyond this matter for small means only, which have no table."""
WINDOWS = ((200, 20), (900, 45))
"""A window leaves out about 2^-bits, and the nodes reach so many deviations; the second one is for a small delta."""
ROUGH = 64
LEAST, UNDERFLOW = 1e-250, 1e-300
MOST_PRECISION = 256
LARGEST_TABLE_MEAN = 10**10
FAR_MEAN = 10**7
"""Beyond this mean a delta that can't be in the table is bounded at once: one pool's takes long there."""
CHUNK = 1 << 14
"""So many counts are summed at a time: what is needed of them stays in the fast memory of a processor."""
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
    """The table of Pois(mu), with a window that leaves out 2^-bits and nodes that reach so many deviations.

    There are between so few and so many nodes, as the work allows.
    """
    count = int(min(max(WORK / len(window_of(mu, bits).masses), nodes[0]), nodes[1]))
    return new_table(mu, bits, reach, count)


@lru_cache(maxsize=4)
def new_table(mu: Real, bits: int, reach: int, count: int) -> Table:
    """The same with so many nodes."""
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
