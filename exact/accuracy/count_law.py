"""Sums of independent binomial counts, and the chance that one is far out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from operator import mul

from flint import arb, fmpz_poly

from exact.laws.integer_law import IntegerLaw, binomial_floor
from exact.laws.noise import binomial_lower_ball, binomial_upper_ball
from exact.numbers.certified import Certified
from exact.numbers.real import Real, real

LARGEST_EXACT = 2_000
LARGEST_DENOMINATOR = 10**6


@dataclass(frozen=True)
class CountLaw:
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

    def outside(self, most: int, least: int) -> Certified:
        """P[C <= most or C >= least], for most < least.

        >>> from exact.numbers.real import HALF
        >>> CountLaw(((2, HALF),)).outside(0, 2).exact
        Fraction(1, 2)
        """
        if most >= least - 1 or most >= self.largest or least <= 0:
            return Certified.of(1)
        if most < 0 and least > self.largest:
            return Certified.of(0)
        if self.exact is not None:
            masses, denominator = self.exact
            kept = sum((int(mass) for mass in masses.coeffs()[max(0, most + 1) : max(0, least)]), 0)
            return Certified.of(1 - Fraction(kept, denominator))
        if len(self.parts) == 1:
            return Certified(lambda precision: single_outside(*self.parts[0], most, least, precision), probability=True)
        return Certified(lambda precision: self.outside_ball(most, least, precision + 24), probability=True)

    def outside_ball(self, most: int, least: int, bits: int) -> arb:
        """The same from masses rounded down: what is counted, and what is missing in total."""
        law = floor_of(self, bits)
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
def floor_of(law: CountLaw, bits: int) -> IntegerLaw:
    """The masses of the sum, rounded down."""
    return reduce(IntegerLaw.plus, [binomial_floor(n, p, bits) for n, p in law.parts])


def single_outside(n: int, p: Real, most: int, least: int, precision: int) -> arb:
    """The same for one binomial law, at a cost that does not grow with n."""
    return binomial_lower_ball(n, p, most, precision) + binomial_upper_ball(n, p, least, precision)
