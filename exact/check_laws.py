"""Binomial and Poisson noise for a certificate: weights from ratios of consecutive terms.  Standard library only.

Legend: b(x) is the mass of the noise, G(t) = P[noise >= t], E = e^eps.  Weights w(x) are b(x) times a constant that
nobody has to know: w(x+1)/w(x) = theta u(x), with theta = p/(1-p) and u(x) = (l-x)/(x+1) for Bin(l, p), theta = mu and
u(x) = 1/(x+1) for Pois(mu).  u falls, so beyond a term the rest is less than a geometric series.  Every weight is an
integer that was rounded down and one that was rounded up; sums of all weights take the place of the constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb
from operator import mul
from typing import NamedTuple

from exact.check import Interval, Rejected

GUARD, STOP = 64, 40
MOST_TERMS, MOST_TERM_BITS = 500_000, 100_000_000
MOST_ROWS = 5_000_000
EXACT_TERMS, EXACT_BITS = 400, 20_000


class Bounds(NamedTuple):
    """P[S] and Q[S] of an event S, each from below and from above."""

    p_low: Fraction
    p_high: Fraction
    q_low: Fraction
    q_high: Fraction


@dataclass(frozen=True)
class Noise:
    """Bin(l, p) with theta = p/(1-p), or Pois(theta) where l is None."""

    l: int | None
    theta: Interval

    def ratio(self, x: int) -> Interval:
        """w(x+1)/w(x)."""
        u = Fraction(1 if self.l is None else self.l - x, x + 1)
        return self.theta[0] * u, self.theta[1] * u

    @property
    def is_rational(self) -> bool:
        """Whether theta is known exactly."""
        return self.theta[0] == self.theta[1]

    def mode(self) -> int:
        """A point where the mass is near its largest: where the walk begins."""
        theta = self.theta[0]
        return int(theta) if self.l is None else min(self.l, int((self.l + 1) * theta / (1 + theta)))

    def mirrored(self) -> Noise:
        """l minus the binomial noise."""
        return Noise(self.l, (1 / self.theta[1], 1 / self.theta[0]))


@dataclass(frozen=True)
class Weights:
    """w(x) for x = first, ..., rounded down and up; `tail_*` their sums from x on; bounds of what lies outside."""

    first: int
    low: Sequence[int]
    high: Sequence[int]
    before: int
    after: int
    tail_low: Sequence[int]
    tail_high: Sequence[int]

    @property
    def total(self) -> tuple[int, int]:
        """The sum of all weights."""
        return self.tail_low[0], self.tail_high[0] + self.before

    def tail(self, t: int) -> tuple[int, int]:
        """The weight of {t, t+1, ...}."""
        if t <= self.first:
            return self.total
        return (self.tail_low[t - self.first], self.tail_high[t - self.first]) if t < self.end else (0, self.after)

    def head(self, t: int) -> tuple[int, int]:
        """The weight of {..., t-1, t}."""
        if t < self.first:
            return 0, self.before
        i = min(t + 1, self.end) - self.first
        beyond = self.after if t >= self.end else 0
        return self.tail_low[0] - self.tail_low[i], self.tail_high[0] - self.tail_high[i] + self.before + beyond

    @property
    def end(self) -> int:
        """One past the last point."""
        return self.first + len(self.low)

    def joint(self, cuts: Sequence[int]) -> tuple[int, int]:
        """The sum of w(y) times the weight of {t, t+1, ...} over the points y and their cuts t, in order."""
        (first, end, size) = (self.first, self.end, len(self.low))
        places = [0 if t <= first else size if t >= end else t - first for t in cuts]
        tail_high = [self.total[1], *self.tail_high[1:]]
        low = sum(map(mul, self.low, map(self.tail_low.__getitem__, places)))
        return low, sum(map(mul, self.high, map(tail_high.__getitem__, places)))


def weights(noise: Noise, bits: int) -> Weights:
    """The weights down to about 2^-bits of the largest; all of them, and exactly, for small rational noise."""
    start, theta = noise.mode(), noise.theta[0]
    first_weight, stop = 1 << (bits + GUARD), 1 << STOP
    length = max(theta.numerator.bit_length(), theta.denominator.bit_length(), 1)
    if noise.l is not None and noise.l * length <= EXACT_BITS and noise.l <= EXACT_TERMS and noise.is_rational:
        first_weight = comb(noise.l, start) * theta.numerator**start * theta.denominator ** (noise.l - start)
        stop = 0
    most = min(MOST_TERMS, MOST_TERM_BITS // bits)
    up, after = walk(noise, start, first_weight, stop, 1, most)
    down, before = walk(noise, start, first_weight, stop, -1, most)
    pairs = [*reversed(down), (first_weight, first_weight), *up]
    low, high = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    tail_low = [*accumulate(reversed(low), initial=0)][::-1]
    tail_high = [*accumulate(reversed(high), initial=after)][::-1]
    return Weights(start - len(down), low, high, before, after, tail_low, tail_high)


def walk(noise: Noise, x: int, weight: int, stop: int, step: int, most_terms: int) -> tuple[list[tuple[int, int]], int]:
    """The weights next to x in one direction until they are at most `stop`, and a bound of the rest."""
    found: list[tuple[int, int]] = []
    (low, high, l) = (weight, weight, noise.l)
    (a, b), (c, d) = ((theta.numerator, theta.denominator) for theta in noise.theta)
    (least, most) = ((a, b), (c, d)) if step > 0 else ((d, c), (b, a))
    while high > stop:
        if x == (l if step > 0 else 0):
            return found, 0
        if step > 0:
            (top, bottom) = (1 if l is None else l - x, x + 1)
        else:
            (top, bottom) = (x, 1 if l is None else l - x + 1)
        low = low * (top * least[0]) // (bottom * least[1])
        high = -(-high * (top * most[0]) // (bottom * most[1]))
        x += step
        found.append((low, high))
        if len(found) > most_terms:
            raise Rejected(f"the noise is too wide: more than {most_terms} terms matter on one side")
    if x == (l if step > 0 else 0):
        return found, 0
    ratio = noise.ratio(x)[1] if step > 0 else 1 / noise.ratio(x - 1)[0]
    if ratio >= 1:
        raise Rejected("the terms of a tail do not fall")
    rest = high * ratio / (1 - ratio)
    return found, int(rest) + 1


def normalised(p: tuple[int, int], q: tuple[int, int], total: tuple[int, int]) -> Bounds:
    """Probabilities from weights."""
    return Bounds(
        Fraction(p[0], total[1]), Fraction(p[1], total[0]), Fraction(q[0], total[1]), Fraction(q[1], total[0])
    )


def shift_event(law: Weights, cut: int) -> Bounds:
    """{view <= cut}, where the view is the noise under P and 1 + noise under Q."""
    return normalised(law.head(cut), law.head(cut - 1), law.total)


def is_best_cut(noise: Noise, cut: int, exp_eps: Fraction) -> bool:
    """Whether b(x) >= E b(x-1) for every x <= cut, and b(x) <= E b(x-1) for every x above.

    The ratio b(x)/b(x-1) falls in x, so two values tell.
    """
    rises = cut == 0 or (cut > 0 and noise.ratio(cut - 1)[0] >= exp_eps)
    return rises and (cut == noise.l or noise.ratio(cut)[1] <= exp_eps)


def thresholds(l: int | None, ratio: Fraction, rows: range) -> list[int]:
    """For each row y the largest x where P(x, y) <= ratio * Q(x, y), for the pair of `product_event`.

    *Formula*: P/Q = x/y for Poisson noise, x (l+1-y) / (y (l+1-x)) for binomial noise.
    """
    (a, b) = (ratio.numerator, ratio.denominator)
    if l is None:
        return [a * y // b for y in rows]
    return [a * y * (l + 1) // (b * (l + 1 - y) + a * y) for y in rows]


def product_event(noise: Noise, law: Weights, ratio: Fraction) -> Bounds:
    """{P > ratio * Q} for two independent noises X, Y: the view is (X+1, Y) under P and (X, Y+1) under Q.

    *Formula*: P = sum_y b(y) G(t), Q = sum_y b(y-1) G(t+1), t the threshold of row y.  Rows outside of the weights
    count as 0 from below, and in full from above.
    """
    last = law.end if noise.l is None else min(law.end, noise.l)
    cuts = thresholds(noise.l, ratio, range(law.first, last + 1))
    (p_low, p_high) = law.joint(cuts[: len(law.low)])
    (q_low, q_high) = law.joint([t + 1 for t in cuts[1:]])
    (least, most) = law.total
    outside = (law.before + law.after) * most
    return normalised((p_low, p_high + outside), (q_low, q_high + outside), (least * least, most * most))


def most_rows(bits: int) -> int:
    """How many rows, over all nodes, are summed at this precision."""
    return MOST_ROWS * 128 // max(bits, 128)


class PoolTwice:
    """Two Poisson pools, with independent ratios r1, r2 of the masses under P and Q; events of both.

    Nodes s_0 < ... < s_K cut the ratios of the second pool into buckets (s_i, s_(i+1)].
    """

    def __init__(self, noise: Noise, bits: int, nodes: Sequence[Fraction]) -> None:
        self.noise, self.law = noise, weights(noise, bits)
        if len(nodes) * len(self.law.low) > most_rows(bits):
            raise Rejected("there are too many nodes for noise this wide")
        if not nodes or nodes[0] <= 0 or any(t <= s for s, t in pairwise(nodes)):
            raise Rejected("the nodes do not rise from above 0")
        self.nodes, self.unit = nodes, 1 << (bits + GUARD)
        self.above = [self.exceed(node) for node in nodes]

    def exceed(self, ratio: Fraction) -> Bounds:
        """One pool's {r > ratio}."""
        return product_event(self.noise, self.law, ratio)

    def buckets(self) -> list[Bounds]:
        """The masses of the buckets, the last of which has no upper end."""
        ends = [*self.above[1:], Bounds(Fraction(0), Fraction(0), Fraction(0), Fraction(0))]
        return [
            Bounds(s.p_low - t.p_high, s.p_high - t.p_low, s.q_low - t.q_high, s.q_high - t.q_low)
            for s, t in zip(self.above, ends, strict=True)
        ]

    def delta_upper(self, exp_eps: Fraction) -> Fraction:
        """An upper bound of delta.

        delta = sum over the second pool's cells of P * H(E/r2), H(e) the first pool's delta at e.  H is convex, so
        over a bucket it is below its chord, which is linear in 1/r2 = Q/P.  Above the last node H <= 1; at most at
        the first one H <= H(E/s_0).
        """
        curve = [self.curve_upper(exp_eps / node) for node in self.nodes]
        parts = [curve[0] * (1 - self.above[0].p_low), self.above[-1].p_high]
        for i, mass in enumerate(self.buckets()[:-1]):
            (left, right) = (exp_eps / self.nodes[i + 1], exp_eps / self.nodes[i])
            at_left = max(right * mass.p_high - exp_eps * mass.q_low, Fraction(0))
            at_right = max(exp_eps * mass.q_high - left * mass.p_low, Fraction(0))
            parts.append((curve[i + 1] * at_left + curve[i] * at_right) / (right - left))
        return self.sum_upper(parts)

    def sum_upper(self, parts: Iterable[Fraction]) -> Fraction:
        """The sum of the parts, each rounded up to a unit of 2^-(bits+64)."""
        return Fraction(sum(-(-part.numerator * self.unit // part.denominator) for part in parts), self.unit)

    def sum_lower(self, parts: Iterable[Fraction]) -> Fraction:
        """The sum of the parts, each rounded down to such a unit."""
        return Fraction(sum(part.numerator * self.unit // part.denominator for part in parts), self.unit)

    def curve_upper(self, e: Fraction) -> Fraction:
        """H(e) from above."""
        event = self.exceed(e)
        return max(event.p_high - e * event.q_low, Fraction(0))

    def event(self, cuts: Sequence[Fraction]) -> Bounds:
        """The event: r2 is in bucket i and r1 > cuts[i], for some i."""
        if len(cuts) != len(self.nodes):
            raise Rejected("an event needs one cut for each node")
        parts = [(mass, self.exceed(cut)) for mass, cut in zip(self.buckets(), cuts, strict=True)]
        return Bounds(
            self.sum_lower(max(mass.p_low, Fraction(0)) * event.p_low for mass, event in parts),
            self.sum_upper(mass.p_high * event.p_high for mass, event in parts),
            self.sum_lower(max(mass.q_low, Fraction(0)) * event.q_low for mass, event in parts),
            self.sum_upper(mass.q_high * event.q_high for mass, event in parts),
        )
