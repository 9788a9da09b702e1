"""Other forms of the same goal: without logarithms, or with e^(-x) as the variable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from panshuffle.symbolic.ball_box import Box, Side
from panshuffle.symbolic.factor import coefficient
from panshuffle.symbolic.form import NOUGHT, Algebra, Base, Form, Unfit, add, monomial_text, number, scale, variable
from panshuffle.symbolic.rational import common_unit

Rule = Callable[[Base, Form], Form | None]


def without_logarithms(algebra: Algebra, form: Form) -> Form | None:
    """A form with the sign of this one: e^form - 1, if that takes away logarithms; else None."""
    alone = (monomial[0] for monomial, _ in form.terms if len(monomial) == 1)
    if not any(base.kind == "log" and exponent.rational == 1 for base, exponent in alone):
        return None
    try:
        result = add(algebra.exponential(form), number(-1))
    except Unfit:
        return None
    return None if any(base.kind == "log" for base in all_bases(result)) else result


def all_bases(form: Form) -> Iterator[Base]:
    """The bases of a form and of everything inside it."""
    return (base for base, _ in powers(form, in_exponentials=True))


def changed(algebra: Algebra, form: Form, name: str, box: Box) -> tuple[Form, str, Side] | None:
    """The form with t = e^(-c*x) in place of x, with t and its side; None where x occurs otherwise than in e^(k*x)."""
    side = box.sides[name]
    try:
        rates = [rate for base, exponent in powers(form) for rate in rates_of(base, exponent, name)]
        if not rates:
            return None
        unit = common_unit(rates)
        fresh = f"@{name}"
        image = [None if end is None else algebra.exponential(scale(end, -unit)) for end in (side.upper, side.lower)]
        lower = image[0] if image[0] is not None else NOUGHT

        def rule(base: Base, exponent: Form) -> Form | None:
            if base.kind != "e":
                return None
            rate, rest = linear(exponent, name)
            return algebra.multiply(algebra.power(variable(fresh), number(-rate / unit)), algebra.exponential(rest))

        return rewritten(algebra, form, name, rule), fresh, Side(lower, image[1])
    except Unfit:
        return None


def powers(form: Form, in_exponentials: bool = False) -> Iterator[tuple[Base, Form]]:
    """Every base with its exponent, at any depth; in exponents of e only if that is asked for."""
    for monomial, _ in form.terms:
        for base, exponent in monomial:
            yield base, exponent
            if in_exponentials or base.kind != "e":
                yield from powers(exponent, in_exponentials)
            if base.form is not None:
                yield from powers(base.form, in_exponentials)


def rates_of(base: Base, exponent: Form, name: str) -> list[Fraction]:
    """The k of e^(k*x).  *Raises* `Unfit` where x occurs otherwise."""
    if base.text == name:
        raise Unfit("the variable occurs outside an exponential")
    if base.kind != "e" or name not in exponent.symbols:
        return []
    rate, _ = linear(exponent, name)
    return [rate]


def linear(exponent: Form, name: str) -> tuple[Fraction, Form]:
    """(k, rest) of an exponent k*x + rest.  *Raises* `Unfit` for others."""
    text = monomial_text(variable(name).terms[0][0])
    rate = coefficient(exponent, text)
    rest = add(exponent, scale(variable(name), -rate))
    if name in rest.symbols:
        raise Unfit("an exponent is not linear")
    return rate, rest


def rewritten(algebra: Algebra, form: Form, name: str, rule: Rule) -> Form:
    """The form with every power that a rule knows as the rule has it, at any depth."""
    if name not in form.symbols:
        return form
    parts: list[Form] = []
    for monomial, weight in form.terms:
        factors = [rewritten_factor(algebra, base, exponent, name, rule) for base, exponent in monomial]
        parts.append(scale(algebra.multiply(*factors), weight))
    return add(NOUGHT, *parts)


def rewritten_factor(algebra: Algebra, base: Base, exponent: Form, name: str, rule: Rule) -> Form:
    """base^exponent as a rule has it or, where it says nothing, with what is inside as it has that."""
    known = rule(base, exponent)
    if known is not None:
        return known
    degree = rewritten(algebra, exponent, name, rule)
    if base.form is None:
        return algebra.product([(base, degree)], Fraction(1))
    inside = rewritten(algebra, base.form, name, rule)
    return algebra.power(algebra.logarithm(inside) if base.kind == "log" else inside, degree)
