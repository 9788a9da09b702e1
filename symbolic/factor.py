"""A form as a product: common powers are taken out, and the polynomial that is left is factored."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm

from flint import Ordering, fmpz_mpoly, fmpz_mpoly_ctx
from panshuffle.symbolic.form import (
    UNIT,
    Algebra,
    Base,
    Form,
    Monomial,
    Unfit,
    add,
    constant_part,
    content_of,
    is_whole,
    monomial_text,
    negative,
    number,
    scale,
)
from panshuffle.symbolic.rational import common_unit

LARGEST_FACTORED = 40
LARGEST_DEGREE = 30

Generator = tuple[Base, Monomial]
Factor = tuple[Form, int]


def factors_of(algebra: Algebra, form: Form, sign_of: Callable[[Base], int]) -> list[Factor]:
    """Forms with multiplicities whose product has the sign of the form wherever that is defined.

    `sign_of` says which bases have one strict sign on the box in question; powers of others are not taken out.
    """
    sign, rest = taken_out(algebra, form, sign_of)
    rest = scale(rest, 1 / abs(content_of(rest))) if rest.terms else rest
    if len(rest.terms) == 1 or len(rest.terms) > LARGEST_FACTORED:
        return [(rest if sign > 0 else negative(rest), 1)]
    try:
        return polynomial_factors(algebra, rest, sign)
    except Unfit:
        return [(rest if sign > 0 else negative(rest), 1)]


def taken_out(algebra: Algebra, form: Form, sign_of: Callable[[Base], int]) -> tuple[int, Form]:
    """The sign of the common powers of all monomials, and what is left of the form without them."""
    sign, inverse = 1, list[tuple[Base, Form]]()
    for base in bases_of(form):
        exponent = least_exponent(form, base)
        if exponent.rational == 0:
            continue
        if is_whole(exponent) and base.kind not in ("number", "e"):
            base_sign = sign_of(base)
            if base_sign == 0:
                continue
            sign *= base_sign if exponent.rational is not None and exponent.rational.numerator % 2 else 1
        inverse.append((base, negative(exponent)))
    parts = [algebra.product((*monomial, *inverse), weight) for monomial, weight in form.terms]
    return sign, expanded_sums(algebra, add(*parts))


def bases_of(form: Form) -> list[Base]:
    """The bases of a form's monomials."""
    found = {base.text: base for monomial, _ in form.terms for base, _ in monomial}
    return list(found.values())


def least_exponent(form: Form, base: Base) -> Form:
    """The exponent with the least coefficients among those of one base in all monomials."""
    least: dict[str, tuple[Monomial, Fraction]] = {}
    columns = [exponent_of(monomial, base) for monomial, _ in form.terms]
    for exponent in columns:
        for part, _ in exponent.terms:
            least.setdefault(monomial_text(part), (part, Fraction(0)))
    for text, (part, _) in least.items():
        weights = [coefficient(exponent, text) for exponent in columns]
        least[text] = (part, min(weights))
    return add(*(Form(((part, weight),)) for part, weight in least.values() if weight), number(0))


def exponent_of(monomial: Monomial, base: Base) -> Form:
    """The exponent of a base in a monomial."""
    return next((exponent for other, exponent in monomial if other.text == base.text), number(0))


def coefficient(form: Form, text: str) -> Fraction:
    """The weight of a monomial, given by its text."""
    return next((weight for monomial, weight in form.terms if monomial_text(monomial) == text), Fraction(0))


def expanded_sums(algebra: Algebra, form: Form) -> Form:
    """The form with s^(g+1) as s^g * s, multiplied out."""
    parts: list[Form] = []
    for monomial, weight in form.terms:
        kept: list[tuple[Base, Form]] = []
        extra: list[Form] = []
        for base, exponent in monomial:
            whole = constant_part(exponent).__floor__() if base.kind == "sum" else 0
            if 0 < whole <= LARGEST_DEGREE and not is_whole(exponent):
                extra += [base.inside()] * whole
                kept.append((base, add(exponent, number(-whole))))
            else:
                kept.append((base, exponent))
        parts.append(algebra.multiply(Form(((tuple(kept), weight),)), *extra))
    return add(*parts)


def polynomial_factors(algebra: Algebra, form: Form, sign: int) -> list[Factor]:
    """The irreducible factors of a form as a polynomial in the powers that occur in it."""
    generators, units = generators_of(form)
    if not generators:
        return [(form if sign > 0 else negative(form), 1)]
    ring = fmpz_mpoly_ctx.get(tuple(f"g{i}" for i in range(len(generators))), Ordering.lex)
    denominator = lcm(*(weight.denominator for _, weight in form.terms))
    weights: dict[tuple[int, ...], int] = {}
    for monomial, weight in form.terms:
        powers = [coefficient(exponent_of(monomial, base), monomial_text(part)) for base, part in generators]
        degrees = tuple(int(power / unit) for power, unit in zip(powers, units, strict=True))
        weights[degrees] = weights.get(degrees, 0) + int(weight * denominator)
    content, factors = ring.from_dict(weights).factor()
    sign = sign if int(content) > 0 else -sign
    found = [(form_of_polynomial(algebra, part, generators, units), int(degree)) for part, degree in factors]
    if not found:
        return [(number(sign), 1)]
    return with_sign(found, sign)


def with_sign(factors: list[Factor], sign: int) -> list[Factor]:
    """The factors of the product times a sign."""
    if sign > 0:
        return factors
    for i, (form, degree) in enumerate(factors):
        if degree % 2:
            return [*factors[:i], (negative(form), degree), *factors[i + 1 :]]
    return [*factors, (number(-1), 1)]


def generators_of(form: Form) -> tuple[list[Generator], list[Fraction]]:
    """The powers that occur, as (base, monomial of the exponent), each with the unit of which it is a multiple."""
    found: dict[tuple[str, str], tuple[Generator, list[Fraction]]] = {}
    for monomial, _ in form.terms:
        for base, exponent in monomial:
            for part, weight in exponent.terms:
                key = (base.text, monomial_text(part))
                found.setdefault(key, ((base, part), []))[1].append(weight)
    units = [unit_of(weights) for _, weights in found.values()]
    return [generator for generator, _ in found.values()], units


def unit_of(weights: list[Fraction]) -> Fraction:
    """The largest rational of which all weights are whole multiples.  *Raises* `Unfit` for a negative weight."""
    if any(weight < 0 for weight in weights):
        raise Unfit("a power is not a polynomial")
    unit = common_unit(weights)
    if max(weights) / unit > LARGEST_DEGREE:
        raise Unfit("a degree is too large")
    return unit


def form_of_polynomial(
    algebra: Algebra, polynomial: fmpz_mpoly, generators: list[Generator], units: list[Fraction]
) -> Form:
    """The form of a polynomial in the generators."""
    parts: list[Form] = []
    for degrees, weight in polynomial.to_dict().items():
        powers = [
            (base, Form(((part, unit * int(degree)),)))
            for (base, part), unit, degree in zip(generators, units, degrees, strict=True)
            if degree
        ]
        parts.append(algebra.product(powers, Fraction(int(weight))))
    return add(UNIT, *parts, number(-1))
