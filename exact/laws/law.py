"""A law: masses of outcomes, exact where they are rational and finitely many, enclosed otherwise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from flint import arb, ctx

from exact.errors import InputError
from exact.numbers.certified import quotient

Outcome = Hashable


@dataclass(frozen=True)
class Masses:
    """Enclosed masses of the listed outcomes, and a bound on the mass that is not in them.

    The rest may lie on other outcomes or, after an image or a convolution, on top of listed ones.
    """

    listed: Mapping[Any, arb]
    tail: arb


@dataclass(frozen=True)
class Law:
    """An immutable law.  `exact` maps each outcome of positive mass to its rational mass, if that is known.

    `enclose(precision)` gives the masses as balls, for as many outcomes as that precision tells apart from 0.

    >>> die = rational_law({face: Fraction(1, 6) for face in range(1, 7)})
    >>> die.mass(3)
    Fraction(1, 6)
    """

    exact: Mapping[Outcome, Fraction] | None
    enclose: Callable[[int], Masses]

    def mass(self, outcome: Outcome) -> Fraction:
        """The exact mass.  *Raises* `InputError` for a law that is only enclosed."""
        if self.exact is None:
            raise InputError("this law has no exact masses: ask for its enclosure")
        return self.exact.get(outcome, Fraction(0))

    def support(self) -> list[Any]:
        """The outcomes of positive mass, in order, of an exact law."""
        if self.exact is None:
            raise InputError("this law has no exact masses: ask for its enclosure")
        outcomes: list[Any] = list(self.exact)
        return sorted(outcomes)


def rational_law(masses: Mapping[Outcome, Fraction]) -> Law:
    """The exact law with these masses.  *Raises* `InputError` unless they are not negative and sum to 1."""
    kept = {outcome: Fraction(mass) for outcome, mass in masses.items() if mass}
    if any(mass < 0 for mass in kept.values()) or sum(kept.values()) != 1:
        raise InputError("the masses of a law must not be negative and must sum to 1")
    return Law(MappingProxyType(kept), lambda precision: enclosed(kept, precision))


def enclosed(masses: Mapping[Outcome, Fraction], precision: int) -> Masses:
    """Exact masses as balls."""
    with ctx.workprec(precision):
        return Masses({x: arb(quotient(m)) for x, m in masses.items()}, arb(0))


def enclosed_law(enclose: Callable[[int], Masses]) -> Law:
    """The law that is known through enclosures only."""
    return Law(None, enclose)
