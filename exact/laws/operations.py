"""How laws combine: image, shift, product, convolution, mixture, conditioning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import arb, ctx

from exact.errors import InputError
from exact.laws.law import Law, Masses, Outcome, enclosed_law, rational_law
from exact.numbers.real import Real, real


def image(law: Law, function: Callable[[Any], Outcome]) -> Law:
    """The law of function(X).

    >>> from exact.laws.families import law_of_binomial
    >>> from exact.numbers.real import real
    >>> image(law_of_binomial(2, real("1/2")), lambda x: x % 2).mass(0)
    Fraction(1, 2)
    """
    if law.exact is not None:
        return rational_law(collected(((function(x), m) for x, m in law.exact.items()), Fraction(0)))

    def enclose(precision: int) -> Masses:
        masses = law.enclose(precision)
        with ctx.workprec(precision):
            return Masses(collected(((function(x), m) for x, m in masses.listed.items()), arb(0)), masses.tail)

    return enclosed_law(enclose)


def shift(law: Law, by: int) -> Law:
    """The law of X + by."""
    return image(law, lambda x: x + by)


def product(*laws: Law) -> Law:
    """The law of the tuple of independent draws.

    >>> from exact.laws.families import law_of_point
    >>> product(law_of_point(1), law_of_point(2)).support()
    [(1, 2)]
    """
    if not laws:
        raise InputError("a product needs at least one law")
    start = image(laws[0], lambda x: (x,))
    return reduce(lambda left, right: joined(left, right, lambda x, y: (*x, y)), laws[1:], start)


def convolution(*laws: Law) -> Law:
    """The law of the sum of independent draws.

    >>> from exact.laws.families import law_of_shares
    >>> convolution(law_of_shares(1, 2), law_of_shares(1, 2)).exact
    mappingproxy({2: Fraction(1, 1)})
    """
    if not laws:
        raise InputError("a convolution needs at least one law")
    return reduce(lambda left, right: joined(left, right, lambda x, y: x + y), laws)


def joined(left: Law, right: Law, combine: Callable[[Any, Any], Outcome]) -> Law:
    """The law of combine(X, Y) for independent X and Y."""
    if left.exact is not None and right.exact is not None:
        pairs = ((combine(x, y), a * b) for x, a in left.exact.items() for y, b in right.exact.items())
        return rational_law(collected(pairs, Fraction(0)))

    def enclose(precision: int) -> Masses:
        first, second = left.enclose(precision), right.enclose(precision)
        with ctx.workprec(precision):
            pairs = ((combine(x, y), a * b) for x, a in first.listed.items() for y, b in second.listed.items())
            return Masses(collected(pairs, arb(0)), first.tail + second.tail)

    return enclosed_law(enclose)


def mixture(weights: Sequence[Real | Fraction | int], laws: Sequence[Law]) -> Law:
    """The law that is laws[i] with probability weights[i].

    *Raises* `InputError` unless there are as many weights as laws and they sum to 1, for rational weights;
    irrational ones that sum to 1 are the caller's duty.
    """
    if len(weights) != len(laws) or not laws:
        raise InputError("a mixture needs as many weights as laws, and at least one")
    exact = [real(weight).fraction for weight in weights]
    if any(not real(weight) >= 0 for weight in weights):
        raise InputError("the weights of a mixture must not be negative")
    if None not in exact and sum(weight or 0 for weight in exact) != 1:
        raise InputError("the weights of a mixture must sum to 1")
    if all(law.exact is not None for law in laws) and all(weight is not None for weight in exact):
        parts = [(weight or Fraction(0), law.exact or {}) for weight, law in zip(exact, laws, strict=True)]
        return rational_law(collected(((x, w * m) for w, part in parts for x, m in part.items()), Fraction(0)))

    def enclose(precision: int) -> Masses:
        parts = [law.enclose(precision) for law in laws]
        with ctx.workprec(precision):
            balls = [real(weight).ball_here() for weight in weights]
            pairs = ((x, w * m) for w, part in zip(balls, parts, strict=True) for x, m in part.listed.items())
            tail = sum((w * part.tail for w, part in zip(balls, parts, strict=True)), arb(0))
            return Masses(collected(pairs, arb(0)), tail)

    return enclosed_law(enclose)


def condition(law: Law, event: Callable[[Any], bool]) -> Law:
    """The law of X given that event(X).  *Raises* `InputError` for an event of mass 0, or an inexact law.

    >>> from exact.laws.families import law_of_binomial
    >>> from exact.numbers.real import real
    >>> condition(law_of_binomial(3, real("1/2")), lambda x: x % 2 == 1).mass(3)
    Fraction(1, 4)
    """
    if law.exact is None:
        raise InputError("conditioning needs a law with exact masses")
    kept = {x: m for x, m in law.exact.items() if event(x)}
    total = sum(kept.values(), Fraction(0))
    if not total:
        raise InputError("the event has mass 0, so nothing can be conditioned on it")
    return rational_law({x: m / total for x, m in kept.items()})


def collected(pairs: Any, zero: Any) -> dict[Outcome, Any]:
    """The masses of equal outcomes, added."""
    masses: dict[Outcome, Any] = {}
    for outcome, mass in pairs:
        masses[outcome] = masses.get(outcome, zero) + mass
    return masses
