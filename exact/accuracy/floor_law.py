"""Laws on the integers from below: integers q_x with q_x <= 2^bits P[X = x].

Sums of independent variables, powers and images of such bounds, with every product rounded down, are such bounds again.
Because true masses sum to 1, what a bound lacks in total is all that an event can have beyond it:

    Q(event) <= 2^bits P[event] <= Q(event) + (2^bits - Q(everything)).

So one sum certifies everything that was dropped on the way: rounding, tails and truncation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpz_poly

from exact.laws.noise import poisson_mass_ball
from exact.numbers.certified import ball_bounds
from exact.numbers.real import Real


@dataclass(frozen=True)
class FloorLaw:
    """Lower bounds of the masses at first, first + 1, ..., in units of 2^-bits."""

    masses: fmpz_poly
    first: int
    bits: int

    def total(self) -> int:
        """The sum of the bounds."""
        return int(self.masses(1))

    def plus(self, other: FloorLaw) -> FloorLaw:
        """The law of the sum with an independent variable.

        >>> coin = FloorLaw(fmpz_poly([8, 8]), 0, 4)
        >>> list(coin.plus(coin).masses)
        [4, 8, 4]
        """
        return FloorLaw(shifted(self.masses * other.masses, self.bits), self.first + other.first, self.bits)

    def times(self, count: int, window: tuple[int, int] | None = None) -> FloorLaw:
        """The law of the sum of so many independent copies; masses outside of `window` may be dropped at the end.

        >>> list(FloorLaw(fmpz_poly([8, 8]), 0, 4).times(3).masses)
        [2, 6, 6, 2]
        """
        result = FloorLaw(fmpz_poly([1 << self.bits]), 0, self.bits)
        power = self
        while count:
            if count & 1:
                result = result.plus(power).trimmed()
            count >>= 1
            if count:
                power = power.plus(power).trimmed()
        return result if window is None else result.within(*window)

    def trimmed(self) -> FloorLaw:
        """Without the zeros at both ends."""
        if self.masses[0]:
            return self
        coefficients = self.masses.coeffs()
        start = next((i for i, mass in enumerate(coefficients) if mass), 0)
        return FloorLaw(fmpz_poly(coefficients[start:]), self.first + start, self.bits) if start else self

    def within(self, least: int, most: int) -> FloorLaw:
        """The masses from `least` to `most` alone."""
        start = max(0, least - self.first)
        kept = self.masses.coeffs()[start : max(start, most - self.first + 1)]
        return FloorLaw(fmpz_poly(kept), self.first + start, self.bits)

    def above(self, cut: int) -> FloorLaw:
        """Without the masses below 2^-cut.

        >>> list(FloorLaw(fmpz_poly([1, 9, 6]), 0, 4).above(1).masses)
        [9]
        """
        least = 1 << max(0, self.bits - cut)
        kept = {self.first + i: int(mass) for i, mass in enumerate(self.masses.coeffs()) if mass >= least}
        return from_masses(kept, self.bits)

    def image(self, function: Callable[[int], int]) -> FloorLaw:
        """The law of a function of the variable.

        >>> list(FloorLaw(fmpz_poly([4, 8, 4]), -1, 4).image(abs).masses)
        [8, 8]
        """
        found: dict[int, int] = {}
        for i, mass in enumerate(self.masses.coeffs()):
            if mass:
                value = function(self.first + i)
                found[value] = found.get(value, 0) + int(mass)
        return from_masses(found, self.bits)

    def chance(self, least: int) -> tuple[Fraction, Fraction]:
        """Bounds of P[X >= least]: what is counted, and that plus what is missing in total."""
        unit = 1 << self.bits
        start = max(0, least - self.first)
        above = int(fmpz_poly(self.masses.coeffs()[start:])(1))
        return Fraction(above, unit), Fraction(min(unit, above + unit - self.total()), unit)


def shifted(masses: fmpz_poly, bits: int) -> fmpz_poly:
    """Every coefficient divided by 2^bits, rounded down (the division by a constant does that); none is negative.

    >>> list(shifted(fmpz_poly([15, 16, 0, 47]), 4))
    [0, 1, 0, 2]
    """
    return masses // (1 << bits)


def from_masses(masses: dict[int, int], bits: int) -> FloorLaw:
    """The law with these bounds by value."""
    if not masses:
        return FloorLaw(fmpz_poly([]), 0, bits)
    first, last = min(masses), max(masses)
    return FloorLaw(fmpz_poly([masses.get(x, 0) for x in range(first, last + 1)]), first, bits)


def poisson_floor(mu: Real, bits: int) -> FloorLaw:
    """Pois(mu), its tails cut off where a mass is below 2^-bits.

    >>> from exact.numbers.real import real
    >>> law = poisson_floor(real(1), 64)
    >>> 0 <= 2**64 - law.total() < 200
    True
    """
    if mu.sign() == 0:
        return FloorLaw(fmpz_poly([1 << bits]), 0, bits)
    centre, precision = mu.floor(), bits + 64
    mass = poisson_mass_ball(mu, centre, precision)

    def ratio(x: int, step: int) -> arb:
        return mu.ball_here() / (x + 1) if step > 0 else x / mu.ball_here()

    return masses_from(centre, mass, ratio, 0, None, bits, precision)


def masses_from(
    centre: int,
    mass: arb,
    ratio: Callable[[int, int], arb],
    least: int,
    most: int | None,
    bits: int,
    precision: int,
) -> FloorLaw:
    """The masses on both sides of a central one, each from the last by `ratio(x, step)`, until they vanish."""

    def walk(step: int) -> Iterator[int]:
        x, here = centre, mass
        while least <= x and (most is None or x <= most):
            lower = max(0, ball_bounds(here, bits)[0])
            yield lower
            if not lower:
                return
            with ctx.workprec(precision):
                here = here * ratio(x, step)
            x += step

    ups, downs = list(walk(1)), list(walk(-1))
    return FloorLaw(fmpz_poly([*reversed(downs[1:]), *ups]), centre - len(downs) + 1, bits)
