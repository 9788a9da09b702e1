"""Derivatives of forms, and what becomes of a form when variables are replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from panshuffle.symbolic.form import NOUGHT, Algebra, Base, Form, Unfit, add, is_whole, number, power_of, scale

Check = Callable[[Form, str], bool]


def derivative(algebra: Algebra, form: Form, name: str) -> Form:
    """The derivative by one variable, where every base of an exponent that is not whole is positive.

    *Formula* (b^e)' = b^e * (e' * log b + e * b'/b), for each factor of each monomial.
    """
    if name not in form.symbols:
        return NOUGHT
    parts: list[Form] = []
    for monomial, weight in form.terms:
        whole = Form(((monomial, weight),))
        for base, exponent in monomial:
            rate = logarithmic_derivative(algebra, base, exponent, name)
            if rate.terms:
                parts.append(algebra.multiply(whole, rate))
    return add(NOUGHT, *parts)


def logarithmic_derivative(algebra: Algebra, base: Base, exponent: Form, name: str) -> Form:
    """The derivative of base^exponent, divided by base^exponent."""
    parts: list[Form] = []
    if name in exponent.symbols:
        slope = derivative(algebra, exponent, name)
        parts.append(algebra.multiply(slope, algebra.base_logarithm(base)))
    if name in base.symbols:
        parts.append(algebra.multiply(exponent, base_rate(algebra, base, name)))
    return add(NOUGHT, *parts)


def base_rate(algebra: Algebra, base: Base, name: str) -> Form:
    """b'/b for a base b that contains the variable."""
    itself = algebra.product([(base, number(-1))], Fraction(1))
    if base.kind == "variable":
        return itself
    slope = derivative(algebra, base.inside(), name)
    if base.kind == "log":
        return algebra.multiply(slope, algebra.power(base.inside(), number(-1)), itself)
    return algebra.multiply(slope, itself)


def replaced(algebra: Algebra, form: Form, values: Mapping[str, Form], check: Check) -> Form:
    """The form with forms in place of variables, which is its continuous extension where every check holds.

    *Raises* `Unfit` where a divisor, an argument of a logarithm or a base does not pass the check.
    """
    if not form.symbols & values.keys():
        return form
    parts: list[Form] = []
    for monomial, weight in form.terms:
        factors = [replaced_factor(algebra, base, exponent, values, check) for base, exponent in monomial]
        parts.append(scale(algebra.multiply(*factors), weight))
    return add(NOUGHT, *parts)


def replaced_factor(algebra: Algebra, base: Base, exponent: Form, values: Mapping[str, Form], check: Check) -> Form:
    """base^exponent with forms in place of variables."""
    degree = replaced(algebra, exponent, values, check)
    inside = replaced_base(algebra, base, values, check)
    if is_whole(exponent) and exponent.rational is not None:
        if exponent.rational < 0 and not check(inside, "!="):
            raise Unfit("a divisor may be 0")
        return algebra.power(inside, degree)
    if inside.rational == 0:
        if not check(degree, ">"):
            raise Unfit("0 to a power that may not be positive")
        return NOUGHT
    if not check(inside, ">"):
        raise Unfit("a base may not be positive")
    return algebra.power(inside, degree)


def replaced_base(algebra: Algebra, base: Base, values: Mapping[str, Form], check: Check) -> Form:
    """A base with forms in place of variables."""
    if base.kind == "variable":
        return values.get(base.text) or power_of(base)
    if base.kind == "number":
        return number(base.number)
    if base.kind == "e":
        return algebra.exponential(number(1))
    inside = replaced(algebra, base.inside(), values, check)
    if base.kind == "sum":
        return inside
    if not check(inside, ">"):
        raise Unfit("a logarithm of what may not be positive")
    return algebra.logarithm(inside)
