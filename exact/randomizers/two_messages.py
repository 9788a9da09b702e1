"""A randomizer with two messages behind a shuffler: the worst background by branch and bound.

Legend: q the probability of the message 1 under an input, q1 the largest and q0 the least of them, n users, g the law
of how many of the n - 1 others send 1, S the same with the changed user, E = e^eps.

*Inputs.*  S has the law of a sum of independent coins, and P[S >= j] is affine in each user's q and never decreases in
it.  So among all neighbours and backgrounds P[S >= j | x] - E P[S >= j | x'] is largest where every q is q1 or q0, the
changed user's q1 against q0; the event S <= j is the same with the messages exchanged.

*The best event.*  Let every user send m copies of such a coin; one message is m = 1.  With h others of q1 and k of q0,
W the ones of the others, g its law, B1 ~ Bin(m, q1), B0 ~ Bin(m, q0): g is log-concave, so W + B1 has a monotone
likelihood ratio to W + B0, and the best event is a tail:
    D(t) = P[W + B1 >= t] - E P[W + B0 >= t] = (the sum of A_j g(t-j) over 1 <= j <= m) - (E-1) P[W >= t],
A_j = P[B1 >= j] - E P[B0 >= j].  D rises up to the first t with P[W + B1 = t] > E P[W + B0 = t], and falls then.  With
e = E^(1/m) and r = 1 + (e-1)/(q1 - e q0) the law R(i) = g(i) r^i / C, C the sum of g(i) r^i, which is a sum of coins
again, is centred where the best event begins, up to m, and
    D(t) = C r^-t ((the sum of A_j r^j R(t-j)) - (E-1) (the sum of R(t+i) r^-i over i >= 0)).

*The end.*  The ratio of the masses of an outcome is at most (q1/q0)^m, which as many ones as there can be have; from
there on delta is 0, and before it at most 1 - E (q0/q1)^m.

*Fewer users.*  Showing the messages of some users leaves the curve of the others.  So if between h0 and h0 + L of the
others have q1, delta is at most that of a background with h0 of q1 and n - 1 - h0 - L of q0.  Such intervals cover all
backgrounds.

*R in balls.*  R(s) is a mean over the N-th roots of unity of R's transform, up to R's mass at a distance of N or more;
likewise for the sum with weights r^-i for 0 <= i < M, N = 2M + 1, up to R's mass at least M away from its start.  With
v the variance of R, a distance t from the mean has mass at most 2 e^(-t^2/(2v + 2t/3)) (Bernstein), and the transform
at the angle w is at most e^(-v (1 - cos w)): all that is left out is at most a few e^-60.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import acos, ceil, comb, pi, sqrt

from flint import acb, arb, ctx
from panshuffle.exact.curves.curve import BOUND_DIGITS, ZERO, Curve, is_certified_at_least
from panshuffle.exact.errors import Undecided
from panshuffle.exact.real import DEFAULT_DIGITS, Certified, Real, between, dyadic, exp, real

BITS = 160
"""The rounding of some 2^27 users leaves more than 100 bits."""
EXPONENT = 60
"""e^-60 is far below what an answer shows of any delta down to 1e-12, and of the differences between masses of R."""
FIRST_WIDTH = 0.0006
"""The relative distance of the ends of eps that is tried first."""
WIDEST = 2.0**40
"""Beyond that the search ends at the eps of one user alone."""
LEAST_EPS = Fraction(1, 10**9)
"""Added in units of the width where the lower end is 0."""
MOST_STEPS = 6000
"""This many intervals are tried, some milliseconds each."""
NEAR = (2, 3)
"""This many places on either side of the expected start of the best event are tried: of one coin, of several."""
EDGE = 6
"""The worst background was within this many users of "all the same" wherever all of them were computed."""
SLACKS = (0.002, 0.01, 0.05, 0.25, 1.0, 4.0, 1e3)
"""How far above the lower end of delta the upper one is looked for."""


@dataclass(frozen=True)
class Coins:
    """The probabilities of a one, the larger for `upper` and the smaller for `lower`, of each of a user's m coins."""

    high: Real
    low: Real
    m: int = 1

    @cached_property
    def balls(self) -> tuple[arb, arb]:
        """Both, enclosed."""
        return self.high.ball(BITS), self.low.ball(BITS)

    def delta(self, ones: int, zeros: int, factor: arb) -> arb:
        """delta where given numbers of the others have q1 and q0, of q1 against q0, at e^eps = factor."""
        with ctx.workprec(BITS):
            high, low = self.balls
            root = factor if self.m == 1 else (factor.log() / self.m).exp()
            edge = high - root * low
            if edge <= 0:
                return arb(0)
            if not edge > 0:
                return arb(0).union((1 - factor * (low / high) ** self.m).nonnegative_part().upper())
            coins = ((high, self.m * ones), (low, self.m * zeros))
            return self.best(Tilted.of(coins, 1 + (root - 1) / edge), factor)

    def best(self, tilted: Tilted, factor: arb) -> arb:
        """The largest D(t).  *Raises* `Undecided` where R's masses don't show that the first t is among those tried."""
        m, r = self.m, tilted.ratio
        half, centre = tilted.half_period() + m, int(tilted.mean)
        values, omitted = tilted.transform(half, centre)
        outside = tilted.outside(half - 4 - m)
        doubt = arb(0).union(outside) + 2 * omitted * arb(0, 1)
        near = NEAR[m > 1]
        first = self.middle(r) - near
        last = first + 2 * near
        masses = {i: tilted.mass(values, half, i, doubt) for i in range(first - 1 - m, last + 1)}
        gains, tails = self.weights(factor, r)

        def excess(place: int) -> arb:
            return sum((weight * masses[place - i] for i, weight in enumerate(gains)), arb(0))

        tried = [excess(place) for place in range(first - 1, last + 1)]
        begins = centre + first <= 0 or any(value <= 0 for value in tried)
        if not (begins and (centre + last > tilted.users + m or any(value >= 0 for value in tried))):
            raise Undecided("the masses of a sum of coins are not told apart")
        rest = tilted.tail(values, half, last + 1, outside, omitted)
        found = arb(0)
        for place in range(last, first - 1, -1):
            rest = masses[place] + rest / r
            ahead = sum((weight * masses[place - j] for j, weight in enumerate(tails, start=1)), arb(0))
            found = found.max(tilted.constant * r ** -(centre + place) * (ahead - (factor - 1) * rest))
        return found

    def middle(self, r: arb) -> int:
        """About how many ones of the m the changed user adds where the best event begins, under both laws tilted."""
        return int(float(self.m * sum((q * r / (1 - q + q * r) for q in self.balls), arb(0))) / 2)

    def weights(self, factor: arb, r: arb) -> tuple[list[arb], list[arb]]:
        """(P[B1 = i] - E P[B0 = i]) r^i for i = 0, ..., m, and A_j r^j for j = 1, ..., m."""
        m, places = self.m, range(self.m + 1)
        above, below = ([comb(m, i) * q**i * (1 - q) ** (m - i) for i in places] for q in self.balls)
        gains = [p - factor * q for p, q in zip(above, below, strict=True)]
        tails = [sum(gains[j:], arb(0)) for j in places[1:]]
        return [gain * r**i for i, gain in enumerate(gains)], [tail * r**j for j, tail in enumerate(tails, start=1)]


@dataclass(frozen=True)
class Tilted:
    """The law R: a coin and how many there are of it, twice; r, C, and R's mean and variance roughly."""

    parts: tuple[tuple[arb, int], ...]
    ratio: arb
    constant: arb
    mean: float
    variance: arb

    @classmethod
    def of(cls, coins: tuple[tuple[arb, int], ...], ratio: arb) -> Tilted:
        """R of the given number of coins."""
        scales = [1 - q + q * ratio for q, _ in coins]
        parts = tuple((q * ratio / scale, count) for (q, count), scale in zip(coins, scales, strict=True))
        constant = sum((count * scale.log() for (_, count), scale in zip(coins, scales, strict=True)), arb(0)).exp()
        mean = sum((count * q for q, count in parts), arb(0))
        variance = sum((count * q * (1 - q) for q, count in parts), arb(0))
        return cls(parts, ratio, constant, float(mean.mid()), variance)

    @property
    def users(self) -> int:
        """How many coins there are."""
        return sum(count for _, count in self.parts)

    def half_period(self) -> int:
        """M: a distance from the mean beyond which R has at most 2 e^-60, or more than all coins."""
        v = float(self.variance.mid())
        return min(ceil(EXPONENT / 3 + sqrt(EXPONENT**2 / 9 + 2 * EXPONENT * v)) + 8, self.users + 4)

    def transform(self, half: int, centre: int) -> tuple[list[tuple[acb, acb]], arb]:
        """(root, transform turned by root^-centre) at the first roots of unity; a bound on the moduli of all others."""
        period, v = 2 * half + 1, float(self.variance.mid())
        farthest = pi if 2 * v <= EXPONENT else acos(1 - EXPONENT / v)
        nodes = min(half, ceil(farthest * period / (2 * pi)))
        values = []
        for k in range(1, nodes + 1):
            angle = 2 * arb.pi() * k / period
            root = acb(angle.cos(), angle.sin())
            exponent = acb(0, -centre * angle)
            for q, count in self.parts:
                exponent += count * (1 - q + q * root).log()
            values.append((root, exponent.exp()))
        if nodes == half:
            return values, arb(0)
        return values, (-self.variance * (1 - (2 * arb.pi() * (nodes + 1) / period).cos())).exp().upper()

    def outside(self, distance: int) -> arb:
        """A bound on the mass of R at a distance of at least this from its mean."""
        if distance >= self.users:
            return arb(0)
        return 2 * (-(arb(distance) ** 2) / (2 * self.variance + arb(2 * distance) / 3)).exp().upper()

    def mass(self, values: list[tuple[acb, acb]], half: int, place: int, doubt: arb) -> arb:
        """R at a place, counted from the centre."""
        total = arb(1) + 2 * sum(((value * root**-place).real for root, value in values), arb(0))
        return total / (2 * half + 1) - doubt

    def tail(self, values: list[tuple[acb, acb]], half: int, place: int, outside: arb, omitted: arb) -> arb:
        """The sum over i >= 0 of R(place + i) r^-i, the weights being at most 1."""
        whole = (1 - self.ratio**-half) / (1 - 1 / self.ratio) if self.ratio > 1 else arb(half)
        total = whole
        for root, value in values:
            step = 1 / (self.ratio * root)
            total += 2 * (value * root**-place * (1 - step**half) / (1 - step)).real
        return total / (2 * half + 1) + (outside + 2 * omitted * whole.upper()) * arb(0, 1)


@dataclass(frozen=True)
class Background:
    """A background that is worst as far as was looked: its delta, the coins, how many have q1 and how many q0."""

    value: arb
    coins: Coins
    ones: int
    zeros: int


class Worst:
    """All backgrounds of n users, and both directions: the coins of either message, which may be the same."""

    def __init__(self, sides: Iterable[Coins], users: int) -> None:
        self.sides = tuple(dict.fromkeys(sides))
        self.others = users - 1
        self.best = lru_cache(maxsize=256)(self.find_best)

    def candidates(self) -> Iterator[tuple[Coins, int]]:
        """Directions, and how many of the others have q1: nearly all, half, nearly none."""
        n = self.others
        places = {0, 1, 2, n // 2, *(n - d for d in range(EDGE))}
        for side in self.sides:
            yield from ((side, ones) for ones in sorted(places) if 0 <= ones <= n)

    def find_best(self, exp_eps: Real) -> Background:
        """The worst candidate at e^eps: any background is a lower bound."""
        factor = exp_eps.ball(BITS)
        found = (
            Background(side.delta(ones, self.others - ones, factor), side, ones, self.others - ones)
            for side, ones in self.candidates()
        )
        return max(found, key=lambda background: background.value.lower())

    def at_most(self, exp_eps: Real, delta: arb) -> bool:
        """Whether every background is certified to be at most delta at e^eps; the intervals are as long as they may."""
        factor, steps = exp_eps.ball(BITS), 0
        for side in self.sides:
            first, length = 0, self.others // 512
            while first <= self.others:
                steps += 1
                length = min(length, self.others - first)
                if side.delta(first, self.others - first - length, factor) <= delta:
                    first, length = first + length + 1, length + length // 3 + 1
                elif length == 0 or steps > MOST_STEPS:
                    return False
                else:
                    length //= 2
        return True


@dataclass(frozen=True)
class WorstCurve(Curve):
    """The curve over all backgrounds of a randomizer with two messages, from both sides."""

    worst: Worst = field(kw_only=True)

    @classmethod
    def of(cls, worst: Worst, pure: Real | None = None, eps: Certified | None = None, limit: Real = ZERO) -> WorstCurve:
        """The curve of all backgrounds, with its pure e^eps or eps, or its limit."""
        found = cls(
            lambda exp_eps, precision: found.delta(exp_eps).ball(precision),
            None,
            pure,
            None if eps is None else lambda: eps,
            limit,
            worst=worst,
        )
        return found

    def delta(self, exp_eps: Real) -> Certified:
        """delta at e^eps, from both sides."""
        if self.pure is not None and is_certified_at_least(exp_eps, self.pure):
            return Certified.of(0)
        least = self.worst.best(exp_eps).value
        if least.is_zero() and self.worst.at_most(exp_eps, least):
            return Certified.of(0)
        for slack in SLACKS:
            most = least.upper() * (1 + arb(slack))
            if self.worst.at_most(exp_eps, most):
                return between(enclosed_by(least.nonnegative_part(), least.upper()), enclosed_by(most, most))
        return between(enclosed_by(least.nonnegative_part(), least.upper()), Certified.of(1))

    def compare_at(self, exp_eps: Real, delta: Real) -> int:
        """1 where a background is above delta, -1 where all are certified not to be; 0 closer than the first slack."""
        if delta.fraction == 0 or (self.pure is not None and is_certified_at_least(exp_eps, self.pure)):
            return super().compare_at(exp_eps, delta)
        least, target = self.worst.best(exp_eps).value, delta.ball(BITS)
        if least > target:
            return 1
        return -1 if least * (1 + arb(SLACKS[0])) <= target and self.worst.at_most(exp_eps, target) else 0

    def epsilon(self, delta: Real, digits: int = DEFAULT_DIGITS) -> Certified:
        """The least eps at which the curve is at most delta, from both sides."""
        if delta.fraction == 0 or not (delta >= 0 and delta <= 1):
            return super().epsilon(delta, digits)
        if self.limit.sign() and (self.limit - delta).sign() >= 0:
            return self.at_the_limit(delta)
        target, digits = delta.ball(BITS), min(digits, BOUND_DIGITS)
        least = Curve(lambda exp_eps, precision: self.worst.best(exp_eps).value, limit=self.limit).epsilon(
            delta, digits
        )
        if least.exact == 0 and self.worst.at_most(real(1), target):
            return least
        start, width = dyadic(least.ball(64).upper()), FIRST_WIDTH
        while width < WIDEST:
            high = start * (1 + Fraction(width)) + Fraction(width) * LEAST_EPS
            if self.worst.at_most(exp(Real(high)), target):
                return between(least, Certified.of(high))
            width *= 2
        return between(least, self.pure_eps())


def enclosed_by(low: arb, high: arb) -> Certified:
    """A number between these."""
    return Certified(lambda precision: low.lower().union(high.upper()), probability=True)
