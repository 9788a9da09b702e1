"""Sums of independent binomial counts, and the chance that one is far out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from operator import mul

from flint import arb, ctx, fmpq, fmpz_poly

from exact.laws.integer_law import FloorLaw, masses_from
from exact.laws.noise import binomial_lower_ball, binomial_mass_ball, binomial_upper_ball
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
        unit = 1 << bits
        counted = sum(int(mass) for i, mass in enumerate(law.masses.coeffs()) if not most < law.first + i < least)
        with ctx.workprec(bits + 16):
            low, high = (arb(fmpq(x, unit)) for x in (counted, min(unit, counted + unit - law.total())))
            return low.union(high)

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
def floor_of(law: CountLaw, bits: int) -> FloorLaw:
    """The masses of the sum, rounded down."""
    return reduce(FloorLaw.plus, [binomial_floor(n, p, bits) for n, p in law.parts])


def binomial_floor(n: int, p: Real, bits: int) -> FloorLaw:
    """Bin(n, p), its tails cut off where a mass is below 2^-bits.

    >>> from exact.numbers.real import HALF
    >>> law = binomial_floor(2, HALF, 64)
    >>> 0 <= 2**64 - law.total() <= 3
    True
    """
    if n == 0 or p.fraction in (0, 1):
        return FloorLaw(fmpz_poly([1 << bits]), n if p.fraction == 1 else 0, bits)
    centre = min((p * (n + 1)).floor(), n)
    precision = bits + 64 + n.bit_length()
    mass = binomial_mass_ball(n, p, centre, precision)

    def ratio(x: int, step: int) -> arb:
        chance = p.ball_here()
        odds = chance / (1 - chance)
        return odds * (n - x) / (x + 1) if step > 0 else x / (odds * (n - x + 1))

    return masses_from(centre, mass, ratio, 0, n, bits, precision)


def single_outside(n: int, p: Real, most: int, least: int, precision: int) -> arb:
    """The same for one binomial law, at a cost that does not grow with n."""
    return binomial_lower_ball(n, p, most, precision) + binomial_upper_ball(n, p, least, precision)
