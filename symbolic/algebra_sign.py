"""Signs of sympy polynomials: measured from the ends of the generators' ranges, all coefficients have one sign.

A generator x in [a, inf) is a + t with t >= 0; x in (-inf, b] is b - t; x in [a, b] is a v + b u with u, v >= 0 and
u + v = 1, by which every monomial is brought to the same degree.  Then a sum of terms of one sign has that sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from sympy import QQ
from sympy.polys.rings import PolyElement, ring

MOST_TERMS = 4_000


@dataclass(frozen=True)
class Range:
    """An interval of the reals; None is an infinite end."""

    lower: Fraction | None = None
    upper: Fraction | None = None
    lower_open: bool = False
    upper_open: bool = False


ABOVE_ZERO = Range(Fraction(0), lower_open=True)
NOT_NEGATIVE = Range(Fraction(0))
OPPOSITE = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


def sign_of(polynomial: PolyElement, ranges: Sequence[Range]) -> str | None:
    """The relation (>, >=, < or <=) to 0 that a polynomial has for all values in the ranges, if one is found.

    >>> _, x = ring("x", QQ)
    >>> sign_of(x**2 - x + 1, [Range(Fraction(1))]), sign_of(1 - x, [Range(Fraction(0), Fraction(1))])
    ('>', '>=')
    """
    terms = shifted(polynomial, ranges)
    free = [2 * i for i, inner in enumerate(ranges) if inner.lower is None and inner.upper is None]
    if not terms or any(monomial[i] % 2 for monomial in terms for i in free):
        return None
    positive = {coefficient > 0 for coefficient in terms.values()}
    if len(positive) > 1:
        return None
    strict = all(any(not any(monomial[i] for i in zeros) for monomial in terms) for zeros in vanishing(ranges))
    found = ">" if strict else ">="
    return found if True in positive else OPPOSITE[found]


def shifted(polynomial: PolyElement, ranges: Sequence[Range]) -> PolyElement | None:
    """The polynomial in two new generators for each old one, which are not negative, or only the first is used."""
    degrees = [max(0, degree) for degree in polynomial.degrees()]
    if prod(degree + 1 for degree in degrees) > MOST_TERMS:
        return None
    new, *steps = ring([f"t{i}" for i in range(2 * len(ranges))], QQ)
    total = new.zero
    for monomial, coefficient in polynomial.terms():
        part = new.ground_new(coefficient)
        for i, (power, degree, inner) in enumerate(zip(monomial, degrees, ranges, strict=True)):
            part *= moved(inner, steps[2 * i], steps[2 * i + 1], power, degree)
        total += part
    return total


def moved(inner: Range, first: PolyElement, second: PolyElement, power: int, degree: int) -> PolyElement:
    """A power of a generator, measured from the ends of its range."""
    lower, upper = (None if end is None else QQ(*end.as_integer_ratio()) for end in (inner.lower, inner.upper))
    if lower is not None and upper is not None:
        return (lower * second + upper * first) ** power * (first + second) ** (degree - power)
    if lower is not None:
        return (first + lower) ** power
    return (upper - first) ** power if upper is not None else first**power


def vanishing(ranges: Sequence[Range]) -> Iterator[set[int]]:
    """The largest sets of new generators that can be 0 at the same point."""
    always: set[int] = set()
    choices: list[list[set[int]]] = []
    for i, inner in enumerate(ranges):
        if inner.lower is not None and inner.upper is not None:
            ends = [({2 * i}, inner.lower_open), ({2 * i + 1}, inner.upper_open)]
            choices.append([zeros for zeros, is_open in ends if not is_open] or [set()])
        elif not (inner.lower is not None and inner.lower_open) and not (inner.upper is not None and inner.upper_open):
            always.add(2 * i)
    for chosen in product(*choices):
        yield always.union(*chosen)
