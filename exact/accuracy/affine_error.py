"""The error of an estimate that is an affine function of a count, (C - centre)/rate, and sums of binomial counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial, reduce
from math import erfc, isqrt
from operator import mul
from typing import Protocol

from flint import arb, fmpz_poly
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.integer_law import IntegerLaw, binomial_floor
from panshuffle.exact.laws.noise import binomial_lower_ball, binomial_upper_ball
from panshuffle.exact.parameters import refuse_if
from panshuffle.exact.real import Certified, Real, real

LARGEST_EXACT = 2_000
LARGEST_DENOMINATOR = 10**6
LARGEST_VARIANCE = 10**11
"""A sum of two binomial laws of more has some ten million masses, which take half a minute and a gigabyte."""


class Tails(Protocol):
    """A law on 0, ..., largest, of which the tails are known."""

    @property
    def largest(self) -> int:
        """The largest value."""

    def outside(self, most: int, least: int) -> Certified:
        """P[C <= most or C >= least], for most < least."""
        plain = self.plain(most, least)
        return self.tails(most, least) if plain is None else Certified.of(plain)

    def plain(self, most: int, least: int) -> int | None:
        """That probability where it is plainly 0 or 1."""
        if most >= least - 1 or most >= self.largest or least <= 0:
            return 1
        return 0 if most < 0 and least > self.largest else None

    def tails(self, most: int, least: int) -> Certified:
        """That probability where it is not."""

    def mean(self) -> Real:
        """E[C]."""

    def variance(self) -> Real:
        """Var[C]."""


@dataclass(frozen=True)
class AffineError:
    """error = (C - centre)/rate, rate > 0, C with a known law.

    Distances from the centre are kept in units of C, where the expressions are linear and their signs can be decided.
    """

    law: Tails
    rate: Real
    centre: Real

    def chance(self, alpha: Real) -> Certified:
        """P[|error| > alpha].  *Raises* `ParameterError` for a negative alpha."""
        return self.chance_at(self.reach_of(alpha))

    def reach_of(self, alpha: Real) -> Real:
        """alpha in units of C."""
        refuse_if(alpha < 0, "alpha", alpha, "at least 0")
        return alpha * self.rate

    def chance_at(self, reach: Real) -> Certified:
        """P[|C - centre| > reach]."""
        return self.law.outside(*self.limits(reach))

    def limits(self, reach: Real) -> tuple[int, int]:
        """The largest count that is more than `reach` below the centre, and the least that is as much above it."""
        return (self.centre - reach).ceil() - 1, (self.centre + reach).floor() + 1

    def least_alpha(self, beta: Real) -> Real:
        """The least alpha with P[|error| > alpha] <= beta: the size of one of the possible errors, or 0."""
        return self.least_reach(beta) / self.rate

    def least_reach(self, beta: Real) -> Real:
        """The same in units of C.  *Raises* `ParameterError` unless 0 <= beta <= 1."""
        check_beta(beta)
        if self.chance_at(real(0)).decide(beta) <= 0:
            return real(0)

        def good(i: int) -> bool:
            return self.chance_beyond(self.nearest(i)).decide(beta) <= 0

        most = 2 * (self.law.largest + abs(self.centre.floor())) + 4
        found = first_true(good, most, round(2 * self.usual_reach(float(beta))))
        reach = self.nearest(found) - self.centre
        return reach if reach.sign() >= 0 else -reach

    def usual_reach(self, beta: float) -> float:
        """About what a normal law of the same mean and variance would give; where a search starts."""
        bias, spread = float(self.law.mean() - self.centre), max(1e-9, float(self.law.variance())) ** 0.5
        low, high = 0.0, abs(bias) + 40 * spread
        for _ in range(60):
            middle = (low + high) / 2
            tails = sum(erfc((middle + sign * bias) / spread / 2**0.5) / 2 for sign in (1, -1))
            low, high = (middle, high) if tails > beta else (low, middle)
        return low

    def nearest(self, i: int) -> int:
        """The whole number that i others are nearer to the centre than.

        >>> error = AffineError(CountLaw(()), real(1), real("13/4"))
        >>> [error.nearest(i) for i in range(5)]
        [3, 4, 2, 5, 1]
        """
        floor = self.centre.floor()
        if self.centre - floor <= Fraction(1, 2):
            return floor - i // 2 if i % 2 == 0 else floor + (i + 1) // 2
        return floor + 1 + i // 2 if i % 2 == 0 else floor - i // 2

    def chance_beyond(self, c: int) -> Certified:
        """P[|error| > the size that the count c has]: counts strictly further from the centre than c."""
        mirror = 2 * self.centre - c
        if (c - self.centre).sign() >= 0:
            return self.law.outside(mirror.ceil() - 1, c + 1)
        return self.law.outside(c - 1, mirror.floor() + 1)

    def mean(self) -> Real:
        """The bias, E[error]."""
        return (self.law.mean() - self.centre) / self.rate

    def variance(self) -> Real:
        """Var[error]."""
        return self.law.variance() / (self.rate * self.rate)


def check_beta(beta: Real) -> None:
    """*Raises* `ParameterError` unless 0 <= beta <= 1."""
    refuse_if(not (beta >= 0 and beta <= 1), "beta", beta, "between 0 and 1")


def first_true(holds: Callable[[int], bool], most: int, guess: int = 0) -> int:
    """The least number from 0 to `most` for which a condition holds that stays true once it is, and is true at most.

    The search starts at a guess and doubles its steps.

    >>> [first_true(lambda i: i >= 5, 9, guess) for guess in (0, 4, 5, 9)]
    [5, 5, 5, 5]
    """
    guess = min(max(guess, 0), most)
    low, high, step = 0, most, 1
    if holds(guess):
        high = guess
        while high - step > 0 and holds(high - step):
            high, step = high - step, 2 * step
        low = max(0, high - step + 1) if high - step > 0 else 0
    else:
        low = guess + 1
        while low + step < most and not holds(low + step):
            low, step = low + step + 1, 2 * step
        high = min(most, low + step)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


@dataclass(frozen=True)
class CountLaw(Tails):
    """The sum of independent Bin(n, p), one for each (n, p) of `parts`."""

    parts: tuple[tuple[int, Real], ...]

    @property
    def largest(self) -> int:
        """The largest value."""
        return sum(n for n, _ in self.parts)

    def mean(self) -> Real:
        """E[C]."""
        return sum((n * p for n, p in self.parts), real(0))

    def variance(self) -> Real:
        """Var[C]."""
        return sum((n * p * (1 - p) for n, p in self.parts), real(0))

    def tails(self, most: int, least: int) -> Certified:
        """P[C <= most or C >= least].

        >>> from panshuffle.exact.real import HALF
        >>> CountLaw(((2, HALF),)).outside(0, 2).exact
        Fraction(1, 2)

        *Raises* `InputError` for two counts of a huge variance.
        """
        if self.exact is not None:
            masses, denominator = self.exact
            kept = sum((int(mass) for mass in masses.coeffs()[max(0, most + 1) : max(0, least)]), 0)
            return Certified.of(1 - Fraction(kept, denominator))
        parts = [part for part in self.parts if part[0]]
        if len(parts) == 1:
            n, p = parts[0]
            ends = partial(binomial_lower_ball, n, p, most), partial(binomial_upper_ball, n, p, least)
            return Certified(lambda precision: ends[0](precision) + ends[1](precision), probability=True)
        if not self.is_listed:
            known = f"a standard deviation above {isqrt(LARGEST_VARIANCE)}"
            raise InputError(f"the error is a sum of two binomial counts of {known}, too many outcomes for its law")
        return Certified(lambda precision: self.outside_ball(most, least, precision + 24), probability=True)

    @property
    def is_listed(self) -> bool:
        """Whether the outcomes that matter are few enough to list their masses."""
        return self.largest <= LARGEST_VARIANCE or self.variance() <= LARGEST_VARIANCE

    def outside_ball(self, most: int, least: int, bits: int) -> arb:
        """The same from masses rounded down: what is counted, and what is missing in total."""
        law = count_floor(self, bits)
        return law.enclosed(sum(int(mass) for x, mass in law.items() if not most < x < least))

    @cached_property
    def exact(self) -> tuple[fmpz_poly, int] | None:
        """The masses over a common denominator, where the probabilities are rational and the counts small."""
        rational = [(n, p.fraction) for n, p in self.parts if n]
        if self.largest > LARGEST_EXACT:
            return None
        factors, denominator = [fmpz_poly([1])], 1
        for n, p in rational:
            if p is None or p.denominator > LARGEST_DENOMINATOR:
                return None
            factors.append(fmpz_poly([p.denominator - p.numerator, p.numerator]) ** n)
            denominator *= p.denominator**n
        return reduce(mul, factors), denominator


@lru_cache(maxsize=8)
def count_floor(law: CountLaw, bits: int) -> IntegerLaw:
    """The masses of the sum, rounded down."""
    return reduce(IntegerLaw.plus, [binomial_floor(n, p, bits) for n, p in law.parts])
