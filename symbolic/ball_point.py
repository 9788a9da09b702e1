"""A claim at one rational point: what its terms are there, exactly or in a ball, and whether they are defined."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, ctx, fmpq

from symbolic.ball_box import constant_sign, value_at, whole_power
from symbolic.ball_calculus import form_of
from symbolic.ball_form import Algebra, Base, Form, Unfit, number
from symbolic.claim import Relation
from symbolic.term import Apply, Number, Symbol, Term, constant, substitute, text_of

Point = Mapping[str, Fraction]
PRECISIONS = (64, 256, 1024)


class Unclear(Exception):
    """It is not decided whether a term is defined at a point."""


class Undefined(Exception):
    """A term is certainly not defined at a point."""


def positive_constant(base: Base) -> bool:
    """Whether a base without variables is certainly positive."""
    if base.symbols:
        return False
    ball = value_at(Form((((((base, number(1)),)), Fraction(1)),)), {})
    return bool(ball.is_finite() and ball > 0)


CONSTANTS = Algebra(positive_constant)


def ball_at(term: Term, point: Point) -> arb:
    """A ball that encloses the value at a point, at the working precision.  *Raises* `Unclear` or `Undefined`."""
    if isinstance(term, Number):
        return arb(fmpq(term.value.numerator, term.value.denominator))
    if isinstance(term, Symbol):
        value = point[term.name]
        return arb(fmpq(value.numerator, value.denominator))
    balls = [ball_at(argument, point) for argument in term.arguments]
    result = operation(term, balls, point)
    if not result.is_finite():
        raise Unclear
    return result


def operation(term: Apply, balls: list[arb], point: Point) -> arb:
    """One operation on balls."""
    if term.operator == "+":
        return balls[0] + balls[1]
    if term.operator == "-":
        return balls[0] - balls[1]
    if term.operator == "*":
        return balls[0] * balls[1]
    if term.operator == "exp":
        return balls[0].exp()
    sign = sign_at(balls[-1 if term.operator == "/" else 0], term.arguments[-1 if term.operator == "/" else 0], point)
    if term.operator == "/":
        return balls[0] / balls[1] if sign else undefined(term)
    if term.operator == "log":
        return balls[0].log() if sign > 0 else undefined(term)
    if term.operator == "sqrt":
        return root(balls[0], sign) if sign >= 0 else undefined(term)
    return power_at(term, balls, sign)


def power_at(term: Apply, balls: list[arb], sign: int) -> arb:
    """base^exponent for a base of known sign, where the rule of `definedness` allows it."""
    exponent = constant(term.arguments[1])
    if exponent is not None and exponent.denominator == 1:
        return whole_power(balls[0], int(exponent)) if sign or exponent >= 0 else undefined(term)
    if sign > 0:
        return (balls[0].log() * balls[1]).exp()
    return arb(0) if sign == 0 and exponent is not None and exponent > 0 else undefined(term)


def root(ball: arb, sign: int) -> arb:
    """The square root of a number of known sign."""
    return ball.sqrt() if sign > 0 else arb(0)


def undefined(term: Apply) -> arb:
    """*Raises* `Undefined`."""
    raise Undefined(text_of(term))


def sign_at(ball: arb, term: Term, point: Point) -> int:
    """The sign of a term at a point, by its ball or, near zero, exactly.  *Raises* `Unclear`."""
    if ball > 0:
        return 1
    if ball < 0:
        return -1
    sign = exact_sign(term, point)
    if sign is None:
        raise Unclear
    return sign


def exact_sign(term: Term, point: Point) -> int | None:
    """The sign of a term that is defined at a point, None where it is not decided."""
    values: dict[str, Term] = {name: Number(value) for name, value in point.items()}
    try:
        return constant_sign(form_of(CONSTANTS, substitute(term, values)))
    except (Unfit, ArithmeticError, ValueError):
        return None


def compared(relation: Relation, point: Point) -> bool | None:
    """Whether a relation holds at a point; None where that is not decided.  *Raises* `Undefined`."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            try:
                difference = ball_at(relation.right, point) - ball_at(relation.left, point)
            except Unclear:
                continue
        if difference > 0 or difference < 0:
            return fulfils(1 if difference > 0 else -1, relation.relation)
        if precision == PRECISIONS[0] and exact_sign(difference_of(relation), point) == 0:
            return fulfils(0, relation.relation)
    return None


def difference_of(relation: Relation) -> Term:
    """right - left."""
    return Apply("-", (relation.right, relation.left))


def fulfils(sign: int, relation: str) -> bool:
    """Whether right - left with this sign fulfils left <relation> right."""
    return {"<=": sign >= 0, "<": sign > 0, ">=": sign <= 0, ">": sign < 0, "=": sign == 0, "!=": sign != 0}[relation]


def failure(relation: Relation, point: Point) -> str | None:
    """Why a relation certainly fails at a point, in words; None if it does not or that is not decided."""
    place = ", ".join(f"{name} = {value}" for name, value in point.items()) or "no variables"
    try:
        verdict = compared(relation, point)
    except Undefined as reason:
        return f"{place}: {reason} is not defined"
    if verdict is not False:
        return None
    with ctx.workprec(PRECISIONS[1]):
        try:
            left, right = (ball_at(side, point) for side in (relation.left, relation.right))
        except (Unclear, Undefined):
            return None
    return f"{place}: the left side is {left.str(30)}, the right side is {right.str(30)}, not {relation.relation}"
