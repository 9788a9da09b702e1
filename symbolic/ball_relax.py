"""Stronger goals that are simpler: one power is replaced by another that is proved to be on the right side of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from panshuffle.symbolic.ball_box import Box, Side, enclosure
from panshuffle.symbolic.ball_change import powers, rewritten
from panshuffle.symbolic.form import NOUGHT, Algebra, Base, Form, Monomial, Unfit, add, negative, number, variable

Factor = tuple[Base, Form]
Holds = Callable[[Form, bool], bool]


@dataclass(frozen=True)
class Relaxed:
    """A form with another power in one place: its slope there, and what must be positive for it to be smooth."""

    slope: int
    form: Form
    positive: tuple[Form, ...] = ()


def relaxations(algebra: Algebra, form: Form, box: Box, holds: Holds) -> Iterator[Form]:
    """Forms that are proved to be at most this one, by replacing a^x by b^x for some bases a and b.

    `holds(goal, strict)` says whether goal >= 0 (goal > 0) is proved on the box.
    """
    for old, new in exchanges(form):
        try:
            gap = add(algebra.product([old], Fraction(1)), negative(algebra.product([new], Fraction(1))))
            options = list(replacements(algebra, form, old, new, box))
        except Unfit:
            continue
        for option in options:
            ordered = gap if option.slope > 0 else negative(gap)
            if option.slope and holds(ordered, False) and all(holds(part, True) for part in option.positive):
                yield option.form


def exchanges(form: Form) -> Iterator[tuple[Factor, Factor]]:
    """Pairs of powers with one exponent that is not constant: a sum, and a variable to put in its place."""
    found = {(base.text, exponent.text): (base, exponent) for base, exponent in powers(form)}
    for base, exponent in found.values():
        if base.kind != "sum" or exponent.rational is not None:
            continue
        for other, degree in found.values():
            if other.kind == "variable" and degree == exponent:
                yield (base, exponent), (other, exponent)


def replacements(algebra: Algebra, form: Form, old: Factor, new: Factor, box: Box) -> Iterator[Relaxed]:
    """The form with `new` in place of `old`, for each single place where `old` occurs."""
    for i, (monomial, weight) in enumerate(form.terms):
        others = Form((*form.terms[:i], *form.terms[i + 1 :]))
        for part in in_monomial(algebra, monomial, weight, old, new, box):
            yield Relaxed(part.slope, add(others, part.form), part.positive)


def in_monomial(
    algebra: Algebra, monomial: Monomial, weight: Fraction, old: Factor, new: Factor, box: Box
) -> Iterator[Relaxed]:
    """As `replacements`, in one monomial."""
    for i, (base, exponent) in enumerate(monomial):
        rest = Form((((*monomial[:i], *monomial[i + 1 :]), weight),))
        sign = enclosure(rest, box).sign()
        for part in in_factor(algebra, base, exponent, old, new, box):
            yield Relaxed(sign * part.slope, algebra.multiply(rest, part.form), part.positive)


def in_factor(algebra: Algebra, base: Base, exponent: Form, old: Factor, new: Factor, box: Box) -> Iterator[Relaxed]:
    """As `replacements`, in base^exponent."""
    if base.text == old[0].text and exponent == old[1]:
        yield Relaxed(1, algebra.product([new], Fraction(1)))
        return
    if base.form is None or (base.kind == "log" and exponent.rational != 1):
        return
    slope = 1 if base.kind == "log" else enclosure(exponent, box).sign()
    for part in replacements(algebra, base.form, old, new, box):
        inside = algebra.logarithm(part.form) if base.kind == "log" else part.form
        yield Relaxed(slope * part.slope, algebra.power(inside, exponent), (*part.positive, base.form, part.form))


def scaled_power(algebra: Algebra, form: Form, name: str, box: Box) -> tuple[Form, str, Side] | None:
    """The form with t = (x/u)^m in place of x on (0, u); None where x occurs otherwise than as x^(k*m), m > 0."""
    side = box.sides[name]
    degrees = [exponent for base, exponent in powers(form) if base.text == name]
    if side.lower is None or side.lower.rational != 0 or side.upper is None or not degrees or not degrees[0].terms:
        return None
    unit = Form(((degrees[0].terms[0][0], Fraction(1)),))
    if unit.rational is not None or name in unit.symbols or enclosure(unit, box).sign() <= 0:
        return None
    fresh, upper = f"@{name}", side.upper

    def rule(base: Base, exponent: Form) -> Form | None:
        if base.text != name:
            return None
        if len(exponent.terms) != 1 or Form(((exponent.terms[0][0], Fraction(1)),)) != unit:
            raise Unfit("the variable occurs in another power")
        power = algebra.power(variable(fresh), number(exponent.terms[0][1]))
        return algebra.multiply(power, algebra.power(upper, exponent))

    try:
        return rewritten(algebra, form, name, rule), fresh, Side(NOUGHT, number(1))
    except Unfit:
        return None
