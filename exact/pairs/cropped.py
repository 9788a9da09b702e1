"""Laws of sums of many draws without their far ends: their cost grows as the root of the number of draws."""

from __future__ import annotations

from typing import NamedTuple

from flint import arb, arb_poly, ctx

CROPPED_PRECISION = 256
"""Bits of a cropped law: masses down to about 2^-180 keep `KEPT_BITS` correct bits, so that little is left out."""

Enclosed = tuple[int, list[arb]]
"""The first outcome of a law, and enclosures of the masses from there on."""


class Cropped(NamedTuple):
    """A law without its ends: the masses from `start` on are at most the true ones, and miss `lost` in all at most.

    Where two laws are convolved, what is lost of either reaches the product with no more than its mass.
    """

    start: int
    masses: arb_poly
    lost: arb

    def times(self, other: Cropped) -> Cropped:
        """The convolution, at the working precision."""
        return crop(self.start + other.start, list((self.masses * other.masses).coeffs()), self.lost + other.lost)

    def enclosed(self) -> Enclosed:
        """The first outcome, and enclosures of the masses from there on: what is lost may be anywhere."""
        missing = arb(0).union(self.lost)
        return self.start, [mass + missing for mass in self.masses.coeffs()]


def crop(start: int, masses: list[arb], lost: arb) -> Cropped:
    """The law without the masses at its ends that are no larger than the working precision can tell from 0."""
    least = arb(2) ** -ctx.prec
    kept = [x for x, mass in enumerate(masses) if mass.abs_upper() > least]
    first, end = kept[0], kept[-1] + 1
    ends = sum((mass.abs_upper() for mass in masses[:first] + masses[end:]), arb(0))
    return Cropped(start + first, arb_poly(masses[first:end]), (lost + ends).upper())


class Powers:
    """The laws of sums of so many independent draws of one law, at the working precision.

    Every one is computed once, from the one of half as many: close numbers share all but the last.
    """

    def __init__(self, one: Cropped) -> None:
        self.one, self.powers = one, {0: Cropped(0, arb_poly([1]), arb(0))}

    def power(self, exponent: int) -> Cropped:
        """The law of the sum."""
        if exponent not in self.powers:
            half = self.power(exponent // 2)
            square = half.times(half)
            self.powers[exponent] = square.times(self.one) if exponent % 2 else square
        return self.powers[exponent]
