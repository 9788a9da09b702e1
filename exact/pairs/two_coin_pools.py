"""Two pools of randomized bits at once, for many users: delta over all backgrounds, from both sides, in doubles.

Legend: q1 = 1 - p, q0 = p, E = e^eps; in a pool h of the others hold 1 and m hold 0, g is the law of their ones; U and
V are the laws of all ones where the changed user holds 1 and 0: U(x) = q1 g(x-1) + q0 g(x), V(x) = q0 g(x-1) + q1 g(x);
r = U/V, which never decreases, because g is log-concave, and lies between q0/q1 and q1/q0.

*Two pools.*  With the second pool's y given, what is left is the first pool at another factor:
    delta = the sum over y of U2(y) d(E / r2(y)),  d(F) = the sum over x of (U1(x) - F V1(x))_+.
*Above.*  Let f(F) be the largest d(F) over the first pool's backgrounds.  f is a maximum of convex functions that do
not increase, so chords between values above f are above f, and delta is at most the sum of U2(y) f(E / r2(y)).  f(0) =
1, and f(q1/q0) = 0.
*Many backgrounds at once.*  Showing the messages of some users leaves the laws of the others.  So a background with
between h0 and h0 + L ones is bounded by one with h0 ones and n - 1 - h0 - L zeros, for each pool.
*Below.*  Any background with any events: "y at least t(x)".
*Cut tails.*  The binomial laws that g is made of are cut at both ends, and so is g: what is left is log-concave still,
at most g everywhere, and lacks at most `missing`.  Cutting U and V lowers P(A) - E Q(A) by at most what U lacks, and
raises it by at most E times what V lacks.
*Rounding.*  The masses that are left have a relative error of at most `error`, all sums are of positive terms, and what
is subtracted is rounded against the claim: U(A) - F V(A) of a tail A that contains the best one, and the terms that it
may contain too much, with r >= F (1 - 4 error), are worth at least -6 error U.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement, pairwise
from typing import NamedTuple

import numpy as np
from flint import arb
from panshuffle.exact.laws.integer_law import LEAST_NORMAL, UNIT, DoubleLaw, Doubles, binomial_window
from panshuffle.exact.real import Real

LEAST_MASS = 1e-70
"""Tails below this are dropped, and added to every upper end."""
FEW_MASSES = 256
"""Laws of so few masses are kept whole."""
NODES = 4096
"""Chords between this many points of f are within some 1e-4 of it."""
MOST_WORK = 3e10
"""This many multiplications, a few seconds, are spent on the laws of all intervals together."""
INTERVALS = (16, 128)
"""Fewer are too coarse to tell anything; more are only needed near the worst background, where they are divided."""
PARTS = 4
"""An interval that is not ruled out is divided into this many."""
MOST_LIVE = 512
"""With more intervals that are not ruled out, the backgrounds differ too little for dividing to help."""
MOST_PAIRS = 5050
"""This many pairs of backgrounds, all of 100 users, are compared one by one, in a quarter of a second."""
TINY = Fraction(1, 10**100)
"""For such a p the ratios may leave the range of doubles."""
BITS = 96
"""More than doubles can tell."""
WINDOW = 36**2
"""The masses that are kept of a law reach about 18 standard deviations to both sides; squared."""
MANY = 10**18
"""For more users only fewer intervals could be afforded than there are anyway."""
EDGE = 3
"""Most often the worst background is within this many users of "all the same"; others are found by dividing."""


@dataclass(frozen=True)
class Pool:
    """U and V in a pool with a background, each mass within a relative `error`, without cut tails.

    The masses lack `missing` because of the cut, and U lacks `outside` at all.
    """

    upper: Doubles
    lower: Doubles
    error: float
    missing: float
    outside: float

    @classmethod
    def of(cls, ones: int, zeros: int, p: Real) -> Pool:
        """The pool in which given numbers of the others hold 1 and 0."""
        others = joined(trimmed(binomial_window(ones, 1 - p)), trimmed(binomial_window(zeros, p)))
        low, high = float(p), float(1 - p)
        before, here = np.append(0.0, others.masses), np.append(others.masses, 0.0)
        upper, lower = high * before + low * here, low * before + high * here
        normal = np.flatnonzero(np.minimum(upper, lower) > LEAST_NORMAL)
        first, last = (normal[0], normal[-1] + 1) if len(normal) else (0, 0)
        dropped = float(np.sum(upper[:first]) + np.sum(upper[last:])) * 1.001
        error = others.error + 8 * UNIT
        missing = 2 * others.outside
        return cls(upper[first:last], lower[first:last], error, missing, missing + dropped)

    @cached_property
    def ratio(self) -> Doubles:
        """r, within a relative 2 error, made monotone."""
        return np.maximum.accumulate(self.upper / self.lower)

    @cached_property
    def tails(self) -> tuple[Doubles, Doubles]:
        """The sums of U and of V from each place on."""
        above, below = (np.cumsum(masses[::-1])[::-1] for masses in (self.upper, self.lower))
        return np.append(above, 0.0), np.append(below, 0.0)

    @property
    def sum_error(self) -> float:
        """The relative error of a sum."""
        return self.error + (len(self.upper) + 8) * UNIT

    def at_most(self, factors: Doubles) -> Doubles:
        """Bounds on d at these factors."""
        start = np.searchsorted(self.ratio, factors * (1 - 4 * self.error))
        above, below = (tail[start] for tail in self.tails)
        rounding = 2 * self.sum_error + 4 * UNIT
        gained = above * (1 + rounding + 6 * self.error) - factors * (below * (1 - rounding))
        return np.maximum(gained, 0.0) + self.outside

    def mean(self, bound: Callable[[Doubles], Doubles], factor: arb) -> float:
        """A bound on the sum of U f(E/r), f being at most 1 and the bound, which doesn't increase."""
        bounds = bound(float(factor.lower()) * (1 - 4 * self.error - 8 * UNIT) / self.ratio)
        return float((self.upper * bounds).sum()) * (1 + 2 * self.sum_error + 8 * UNIT) + self.outside


def trimmed(law: DoubleLaw) -> DoubleLaw:
    """The law without the tails at both ends whose masses sum to less than `LEAST_MASS`, if it is long."""
    return law if len(law.masses) <= FEW_MASSES else law.trimmed(LEAST_MASS)


def joined(left: DoubleLaw, right: DoubleLaw) -> DoubleLaw:
    """The law of a sum of two that are independent."""
    terms = min(len(left.masses), len(right.masses)) + 2
    error = (left.error + right.error + terms * UNIT) * (1 + 1e-6)
    masses = np.convolve(left.masses, right.masses)
    return trimmed(DoubleLaw(left.first + right.first, masses, error, left.outside + right.outside))


@dataclass(frozen=True)
class Chords:
    """f from above: values at nodes, and straight lines between them."""

    nodes: Doubles
    values: Doubles

    @classmethod
    def over(cls, pools: list[Pool], p: Real) -> Chords:
        """The largest d of these pools."""
        ratios = [pool.ratio for pool in pools if len(pool.ratio)]
        nodes = np.geomspace(min(r[0] for r in ratios), max(r[-1] for r in ratios), NODES) if ratios else np.empty(0)
        values = np.zeros(len(nodes))
        for pool in pools:
            np.maximum(values, pool.at_most(nodes), out=values)
        end = float(((1 - p) / p).ball(64).upper()) * (1 + 4 * UNIT)
        return cls(np.concatenate([[0.0], nodes, [end, np.inf]]), np.concatenate([[1.0], values, [0.0, 0.0]]))

    def __call__(self, factors: Doubles) -> Doubles:
        """Bounds on f at these factors."""
        right = np.clip(np.searchsorted(self.nodes, factors), 1, len(self.nodes) - 2)
        left, width = self.nodes[right - 1], self.nodes[right] - self.nodes[right - 1]
        part = np.clip((factors - left) / np.where(width > 0, width, 1.0), 0.0, 1.0)
        return self.values[right - 1] * (1 - part + 8 * UNIT) + self.values[right] * (part + 8 * UNIT)


class Interval(NamedTuple):
    """The backgrounds of a pool with between `first` and `last` ones."""

    first: int
    last: int

    def parts(self) -> Iterable[Interval]:
        """The interval, divided."""
        size = self.last - self.first + 1
        edges = sorted({self.first + size * i // PARTS for i in range(PARTS + 1)})
        return (Interval(low, high - 1) for low, high in pairwise(edges))


class Found(NamedTuple):
    """Both ends of delta over all backgrounds, one that reaches the lower, and all that may be worst, if told apart."""

    low: float
    high: float
    place: tuple[int, int]
    pairs: tuple[tuple[int, int], ...] | None


class TwoCoinPools:
    """Both pools of n users who flip each bit with probability p."""

    def __init__(self, users: int, p: Real) -> None:
        self.users, self.p = users, p
        self.pool = lru_cache(maxsize=2 * MOST_LIVE)(self.new_pool)
        self.find = lru_cache(maxsize=64)(self.new_find)
        size = WINDOW * float(min(users, MANY) * p * (1 - p))
        wanted = MOST_WORK / max(size, 1.0) if users > INTERVALS[1] else INTERVALS[1]
        count = int(min(max(wanted, INTERVALS[0]), INTERVALS[1], users))
        self.most_live = int(min(max(wanted, count), MOST_LIVE))
        edges = [users * i // count for i in range(count + 1)]
        self.intervals = [Interval(low, high - 1) for low, high in pairwise(edges)]

    def new_pool(self, interval: Interval) -> Pool:
        """The pool that bounds all these backgrounds."""
        return Pool.of(interval.first, self.users - 1 - interval.last, self.p)

    @cached_property
    def chords(self) -> Chords:
        """f over all backgrounds."""
        return self.chords_of(self.intervals)

    def chords_of(self, intervals: list[Interval]) -> Chords:
        """f over these backgrounds."""
        return Chords.over([self.pool(interval) for interval in intervals], self.p)

    def new_find(self, exp_eps: Real) -> Found:
        """delta over all backgrounds at E.

        Intervals whose bound is below a value that is reached are ruled out for both pools, the others are divided,
        until single backgrounds are left or nothing more is ruled out.
        """
        if self.p < TINY:
            return self.unknown()
        found, factor = self.reached(exp_eps), exp_eps.ball(BITS)
        live, chords = self.intervals, self.chords
        while True:
            bounds = {interval: self.pool(interval).mean(chords, factor) for interval in live}
            found = found._replace(high=min(found.high, max(bounds.values())))
            left = [interval for interval in live if bounds[interval] >= found.low]
            divided = [part for interval in left for part in interval.parts()]
            if len(divided) == len(live) or len(divided) > self.most_live:
                break
            live, chords = divided, self.chords_of(divided)
        if len(left) < len(divided) or len(left) * (len(left) + 1) > 2 * MOST_PAIRS:
            return found
        return self.compare([interval.first for interval in left], factor, found)

    def unknown(self) -> Found:
        """Nothing is ruled out."""
        last = self.users - 1
        few = self.users * (self.users + 1) <= 2 * MOST_PAIRS
        pairs = tuple(combinations_with_replacement(range(self.users), 2)) if few else None
        return Found(0.0, 1.0, (last, last), pairs)

    def reached(self, exp_eps: Real) -> Found:
        """The largest delta at E of some backgrounds."""
        factor = exp_eps.ball(BITS)
        pairs = combinations_with_replacement(self.candidates, 2)
        low, _, place = max((*self.advantage(*pair, factor), pair) for pair in pairs)
        return Found(max(low, 0.0), 1.0, place, None)

    def compare(self, single: list[int], factor: arb, found: Found) -> Found:
        """The same with all pairs of these backgrounds, one by one."""
        ends = {pair: self.ends(*pair, factor) for pair in combinations_with_replacement(single, 2)}
        low, place = max((found.low, found.place), *((low, pair) for pair, (low, _) in ends.items()))
        worst = tuple(pair for pair, (_, high) in ends.items() if high >= low)
        return Found(low, min(found.high, max(high for _, high in ends.values())), place, worst)

    @cached_property
    def candidates(self) -> tuple[int, ...]:
        """How many of the others hold 1: nearly none, or nearly all."""
        n = self.users - 1
        places = {*range(EDGE), *(n - d for d in range(EDGE))}
        return tuple(sorted(h for h in places if 0 <= h <= n))

    def ends(self, first: int, second: int, factor: arb) -> tuple[float, float]:
        """delta at a background, from below and from above."""
        one, two = (self.pool(Interval(ones, ones)) for ones in (first, second))
        return self.advantage(first, second, factor)[0], one.mean(two.at_most, factor)

    def advantage(self, first: int, second: int, factor: arb) -> tuple[float, float]:
        """P(A) - E Q(A) of the event "y is at least t(x)" at a background: a lower bound of delta, and roughly."""
        one, two = (self.pool(Interval(ones, ones)) for ones in (first, second))
        start = np.searchsorted(two.ratio, float(factor) / one.ratio)
        above, below = (tail[start] for tail in two.tails)
        rounding = 2 * (one.sum_error + two.sum_error) + 8 * UNIT
        gained, cost = float((one.upper * above).sum()), float((one.lower * below).sum())
        lost = (cost * (1 + rounding) + one.missing + two.missing) * float(factor.upper()) * (1 + 8 * UNIT)
        return max(gained * (1 - rounding) - lost, 0.0), gained - float(factor) * cost
