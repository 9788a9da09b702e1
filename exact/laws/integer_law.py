"""Laws on the integers by bounds of their masses: integers q_x with q_x <= 2^bits P[X = x], or q_x >= where `up`.

Sums of independent variables, powers and images of such bounds, with every product rounded in their direction, are such
bounds again.  True masses sum to 1, so what bounds from below lack in total is all that an event can have beyond them:

    Q(event) <= 2^bits P[event] <= Q(event) + (2^bits - Q(everything)).

So one sum certifies everything that was dropped on the way: rounding, tails and truncation.  From above, `dropped`
bounds the mass that the listed values don't speak of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, ctx, fmpz, fmpz_poly
from panshuffle.exact.laws.noise import Noise, PoissonLaw, around, binomial_law, working_bits
from panshuffle.exact.numbers.certified import ball_bounds, span
from panshuffle.exact.numbers.real import Real

GUARD = 64


@dataclass(frozen=True)
class IntegerLaw:
    """Bounds of the masses at first, first + 1, ..., in units of 2^-bits; `dropped` is in the same unit."""

    masses: fmpz_poly
    first: int
    bits: int
    up: bool = False
    dropped: int = 0

    def total(self) -> int:
        """The sum of the bounds."""
        return int(self.masses(1))

    def items(self) -> Iterator[tuple[int, fmpz]]:
        """(value, bound) in order."""
        return enumerate(self.masses.coeffs(), start=self.first)

    def rounded(self, masses: fmpz_poly, first: int, dropped: int = 0) -> IntegerLaw:
        """The law whose masses are given in units of 2^-2bits (the division by a constant rounds down)."""
        down = masses // (1 << self.bits)
        return replace(self, masses=down + ones(len(masses)) if self.up else down, first=first, dropped=dropped)

    def plus(self, other: IntegerLaw) -> IntegerLaw:
        """The law of the sum with an independent variable.

        >>> coin = IntegerLaw(fmpz_poly([8, 8]), 0, 4)
        >>> list(coin.plus(coin).masses)
        [4, 8, 4]
        """
        return self.rounded(self.masses * other.masses, self.first + other.first, self.dropped + other.dropped)

    def times(self, count: int, cut: int | None = None) -> IntegerLaw:
        """The law of the sum of so many independent copies; each end of a sum loses less than 2^-cut of mass.

        >>> list(IntegerLaw(fmpz_poly([8, 8]), 0, 4).times(3).masses)
        [2, 6, 6, 2]
        """
        result, power = point(0, self.bits, self.up), self
        while count:
            if count & 1:
                result = result.plus(power).cut(cut)
            count >>= 1
            if count:
                power = power.plus(power).cut(cut)
        return result

    def cut(self, cut: int | None = None) -> IntegerLaw:
        """Without ends of less than 2^-cut of mass, or without the zeros at the lower end."""
        if cut is None and self.masses[0]:
            return self
        masses = self.masses.coeffs()
        least = fmpz(1) if cut is None else fmpz(1) << (self.bits - cut)
        start, below = light(masses, least)
        count, above = light(masses[start:][::-1], least) if cut is not None else (0, fmpz(0))
        if not start and not count:
            return self
        kept = fmpz_poly(masses[start : len(masses) - count])
        return replace(self, masses=kept, first=self.first + start, dropped=self.dropped + int(below + above))

    def above(self, cut: int) -> IntegerLaw:
        """Without the masses below 2^-cut.

        >>> list(IntegerLaw(fmpz_poly([1, 9, 6]), 0, 4).above(1).masses)
        [9]
        """
        least = 1 << max(0, self.bits - cut)
        kept = law_of_masses({x: int(mass) for x, mass in self.items() if mass >= least}, self.bits, self.up)
        return replace(kept, dropped=self.dropped + self.total() - kept.total())

    def image(self, function: Callable[[int], int]) -> IntegerLaw:
        """The law of a function of the variable.

        >>> list(IntegerLaw(fmpz_poly([4, 8, 4]), -1, 4).image(abs).masses)
        [8, 8]
        """
        found: dict[int, int] = {}
        for x, mass in self.items():
            if mass:
                value = function(x)
                found[value] = found.get(value, 0) + int(mass)
        return replace(law_of_masses(found, self.bits, self.up), dropped=self.dropped)

    def moved(self, by: int) -> IntegerLaw:
        """The law of X + by."""
        return replace(self, first=self.first + by)

    def weighted(self, weight: int) -> IntegerLaw:
        """The measure times a weight in units of 2^-bits."""
        return self.rounded(self.masses * weight, self.first, self.dropped)

    def added(self, other: IntegerLaw) -> IntegerLaw:
        """The sum of two measures.

        >>> list(IntegerLaw(fmpz_poly([1, 2]), 0, 4).added(IntegerLaw(fmpz_poly([5]), 3, 4)).masses)
        [1, 2, 0, 5]
        """
        first = min(self.first, other.first)
        masses = self.masses_from(first) + other.masses_from(first)
        return replace(self, masses=masses, first=first, dropped=self.dropped + other.dropped)

    def masses_from(self, first: int) -> fmpz_poly:
        """The masses of first, first + 1, ..., where `first` is at most the first that is listed."""
        return self.masses.left_shift(self.first - first)

    def at_least(self, least: int) -> int:
        """The sum of the bounds at `least` and beyond."""
        return int(fmpz_poly(self.masses.coeffs()[max(0, least - self.first) :])(1))

    @property
    def missing(self) -> arb:
        """From 0 to all that bounds from below lack in total, in units of 2^-bits."""
        return arb(0).union(arb((1 << self.bits) - self.total()))

    def enclosed(self, counted: int) -> arb:
        """The probability of an event of which so much is counted from below: that, and at most all that is missing."""
        unit = 1 << self.bits
        most = min(unit, counted + unit - self.total())
        return span(Fraction(counted, unit), Fraction(most, unit), self.bits + 16)

    def chance(self, least: int) -> arb:
        """P[X >= least], from bounds from below."""
        return self.enclosed(self.at_least(least))


def light(masses: Iterable[fmpz], least: fmpz) -> tuple[int, fmpz]:
    """How many masses, from the first on, sum to less than this, and their sum."""
    total, count = fmpz(0), 0
    for mass in masses:
        if total + mass >= least:
            break
        total, count = total + mass, count + 1
    return count, total


def ones(count: int) -> fmpz_poly:
    """1 + z + z^2 + ..., so many terms."""
    return fmpz_poly([1] * count)


def point(value: int, bits: int, up: bool = False) -> IntegerLaw:
    """All mass at one value."""
    return IntegerLaw(fmpz_poly([1 << bits]), value, bits, up)


def law_of_masses(masses: Mapping[int, int], bits: int, up: bool = False) -> IntegerLaw:
    """The law with these bounds by value; they are rounded already."""
    if not masses:
        return IntegerLaw(fmpz_poly([]), 0, bits, up)
    first, last = min(masses), max(masses)
    return IntegerLaw(fmpz_poly([masses.get(x, 0) for x in range(first, last + 1)]), first, bits, up)


def poisson_floor(mu: Real, bits: int) -> IntegerLaw:
    """Pois(mu) from below, its tails cut off where a mass is below 2^-bits.

    >>> from panshuffle.exact.numbers.real import real
    >>> law = poisson_floor(real(1), 64)
    >>> 0 <= 2**64 - law.total() < 200
    True
    """
    if mu.sign() == 0:
        return point(0, bits)
    precision = working_bits(bits + GUARD, mu.ceil())
    return noise_floor(PoissonLaw(mu.accurate_ball(precision)), mu.floor(), bits, precision)


def binomial_floor(n: int, p: Real, bits: int) -> IntegerLaw:
    """Bin(n, p) from below, its tails cut off where a mass is below 2^-bits.

    >>> from panshuffle.exact.numbers.real import HALF
    >>> law = binomial_floor(2, HALF, 64)
    >>> 0 <= 2**64 - law.total() <= 3
    True
    """
    if n == 0 or p.fraction in (0, 1):
        return point(n if p.fraction == 1 else 0, bits)
    precision = working_bits(bits + GUARD, n)
    return noise_floor(binomial_law(n, p, precision), min((p * (n + 1)).floor(), n), bits, precision)


def noise_floor(noise: Noise, centre: int, bits: int, precision: int) -> IntegerLaw:
    """The masses on both sides of a central one, rounded down, until they vanish."""
    with ctx.workprec(precision):
        first, balls = around(noise, centre, bits)
    return IntegerLaw(fmpz_poly([max(0, ball_bounds(ball, bits)[0]) for ball in balls]), first, bits)
