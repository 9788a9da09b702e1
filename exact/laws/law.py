"""Laws: masses of outcomes, exact where they are rational and finitely many, enclosed otherwise; how they combine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import product as all_tuples
from math import comb
from operator import mul
from types import MappingProxyType
from typing import Any, TypeVar

from flint import arb, ctx
from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.noise import BinomialLaw, poisson_masses, walk
from panshuffle.exact.parameters import check_between, check_count, check_positive
from panshuffle.exact.real import Real, quotient

Outcome = Any
"""A whole number, a tuple of them, or anything else that is hashable."""
Number = TypeVar("Number", Fraction, arb)


@dataclass(frozen=True)
class Masses:
    """Enclosed masses of the listed outcomes, and a bound on the mass that is not in them.

    The rest may lie on other outcomes or, after an image or a convolution, on top of listed ones.
    """

    listed: Mapping[Outcome, arb]
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


def shift(law: Law, by: int) -> Law:
    """The law of X + by."""
    return combined([law], lambda masses: ((x + by, mass) for x, mass in masses.items()))


def product(*laws: Law) -> Law:
    """The law of the tuple of independent draws.

    >>> one, two = (rational_law({value: Fraction(1)}) for value in (1, 2))
    >>> product(one, two).mass((1, 2))
    Fraction(1, 1)
    """

    def pairs(*parts: Mapping[Outcome, Number]) -> Iterator[tuple[Outcome, Number]]:
        for cells in all_tuples(*(part.items() for part in parts)):
            yield tuple(x for x, _ in cells), reduce(mul, (mass for _, mass in cells))

    return combined(laws, pairs)


def combined(laws: Sequence[Law], pairs: Callable[..., Iterable[tuple[Outcome, Any]]]) -> Law:
    """The law of the (outcome, mass) that `pairs` makes of the masses of some laws; their tails may lie anywhere."""
    exact = [law.exact for law in laws if law.exact is not None]
    if len(exact) == len(laws):
        return rational_law(collected(pairs(*exact), Fraction(0)))

    def enclose(precision: int) -> Masses:
        parts = [law.enclose(precision) for law in laws]
        with ctx.workprec(precision):
            listed = collected(pairs(*(part.listed for part in parts)), arb(0))
            return Masses(listed, sum((part.tail for part in parts), arb(0)))

    return enclosed_law(enclose)


def mixture(q: Fraction, one: Law, other: Law) -> Law:
    """The law that is `one` with probability q, and `other` else.  *Holds when* 0 <= q <= 1 (caller)."""

    def weighted(*parts: Mapping[Outcome, Any]) -> Iterator[tuple[Outcome, Any]]:
        for weight, part in zip((q, 1 - q), parts, strict=True):
            yield from ((x, mass * weight.numerator / weight.denominator) for x, mass in part.items())

    return combined([one, other], weighted)


def collected(pairs: Iterable[tuple[Outcome, Number]], zero: Number) -> dict[Outcome, Number]:
    """The masses of equal outcomes, added."""
    masses: dict[Outcome, Number] = {}
    for outcome, mass in pairs:
        masses[outcome] = masses.get(outcome, zero) + mass
    return masses


# The laws that the paper's protocols are made of.


def law_of_bernoulli(p: Real) -> Law:
    """Ber(p)."""
    return law_of_binomial(1, p)


def law_of_binomial(n: int, p: Real, enclosed: bool = False) -> Law:
    """Bin(n, p): exact for rational p, unless it is asked for as enclosed.

    >>> from panshuffle.exact.real import real
    >>> law_of_binomial(2, real("1/3")).mass(2)
    Fraction(1, 9)
    """
    check_count("n", n, least=0)
    check_between("p", p, Fraction(0), Fraction(1))
    q = p.fraction
    if q is not None and not (enclosed and 0 < q < 1):
        return rational_law({x: comb(n, x) * q**x * (1 - q) ** (n - x) for x in range(n + 1)})

    def enclose(precision: int) -> Masses:
        with ctx.workprec(precision + n.bit_length()):
            success, failure = p.ball_here(), (1 - p).ball_here()
            if failure > 0:
                return Masses(dict(enumerate(walk(BinomialLaw(n, success, failure), 0, 1))), arb(0))
            powers = {x: arb.bin_uiui(n, x) * success**x * failure ** (n - x) for x in range(n + 1)}
            return Masses(powers, arb(0))

    return enclosed_law(enclose)


def law_of_poisson(mu: Real) -> Law:
    """Pois(mu), with an enclosed tail."""
    check_positive("mu", mu)

    def enclose(precision: int) -> Masses:
        masses, tail = poisson_masses(mu, precision)
        return Masses(dict(enumerate(masses)), tail)

    return enclosed_law(enclose)
