"""Claims at a rational point, by sympy's exact numbers: the second opinion on a counterexample.

A number that is not rational is kept as an expression; its sign is found in balls.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from fractions import Fraction
from math import prod

import sympy
from flint import arb, ctx, fmpq
from panshuffle.symbolic.claim import Claim, Domain, Relation
from panshuffle.symbolic.term import Number, Symbol, Term, constant

PRECISIONS = (64, 256, 1024)
LARGEST_BITS = 100_000
ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
HOLDS = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1), "=": (0,), "!=": (-1, 1)}


class Undefined(Exception):
    """A term that is surely not defined at the point."""


class Unsettled(Exception):
    """A sign that no precision settles."""


def value_at(term: Term, point: Mapping[str, Fraction]) -> sympy.Expr:
    """The value as a sympy number.  *Raises* `Undefined` and `Unsettled`."""
    if isinstance(term, Number):
        return rational(term.value)
    if isinstance(term, Symbol):
        return rational(point[term.name])
    values = [value_at(argument, point) for argument in term.arguments]
    if term.operator in ("exp", "log", "sqrt"):
        return function_at(term.operator, values[0])
    left, right = values
    if term.operator == "^":
        return power_at(left, right, constant(term.arguments[1]))
    if term.operator == "/" and sign(right) == 0:
        raise Undefined
    return ARITHMETIC[term.operator](left, right)


def function_at(name: str, argument: sympy.Expr) -> sympy.Expr:
    """exp, log or sqrt of a number."""
    least = {"log": 1, "sqrt": 0}.get(name)
    if least is not None and sign(argument) < least:
        raise Undefined
    if any(max(abs(number.p), number.q) > LARGEST_BITS for number in argument.atoms(sympy.Rational)) and name == "exp":
        raise Unsettled
    return getattr(sympy, name)(argument)


def power_at(base: sympy.Expr, exponent: sympy.Expr, written: Fraction | None) -> sympy.Expr:
    """base^exponent; what is allowed depends on whether the exponent is written as a number."""
    whole = written is not None and written.denominator == 1
    least = 0 if written is not None and written > 0 else 1
    if not whole and sign(base) < least:
        raise Undefined
    if written is not None and whole and written < 0 and sign(base) == 0:
        raise Undefined
    if exponent.is_Rational:
        size = (abs(base.p).bit_length() + base.q.bit_length() if base.is_Rational else 1) * abs(exponent.p)
        if size > LARGEST_BITS or exponent.q > LARGEST_BITS:
            raise Unsettled
    return base**exponent


def rational(value: Fraction) -> sympy.Rational:
    """A rational as sympy's."""
    return sympy.Rational(*value.as_integer_ratio())


def sign(number: sympy.Expr) -> int:
    """The sign of a sympy number.  *Raises* `Unsettled`."""
    if number.is_Rational:
        return (int(number.p) > 0) - (int(number.p) < 0)
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            ball = ball_of(number)
        if ball.is_finite() and (ball > 0 or ball < 0):
            return 1 if ball > 0 else -1
    raise Unsettled


def ball_of(number: sympy.Expr) -> arb:
    """An enclosure of a sympy number.  *Raises* `Unsettled` for a number of another kind."""
    if number.is_Rational:
        return arb(fmpq(int(number.p), int(number.q)))
    if number.is_Add or number.is_Mul:
        balls = map(ball_of, number.args)
        return sum(balls, arb(0)) if number.is_Add else prod(balls, start=arb(1))
    if number is sympy.E or number.func is sympy.exp:
        return ball_of(sympy.Integer(1) if number is sympy.E else number.args[0]).exp()
    if number.func is sympy.log:
        return ball_of(number.args[0]).log()
    if not number.is_Pow:
        raise Unsettled
    base, exponent = number.args
    whole = exponent.is_Integer and abs(exponent) <= LARGEST_BITS
    return ball_of(base) ** int(exponent) if whole else (ball_of(exponent) * ball_of(base).log()).exp()


def holds(relation: Relation, point: Mapping[str, Fraction]) -> bool:
    """Whether a relation holds at a point, its terms defined.  *Raises* `Unsettled`."""
    try:
        difference = value_at(relation.left, point) - value_at(relation.right, point)
    except Undefined:
        return False
    return sign(difference) in HOLDS[relation.relation]


def inside(value: Fraction, domain: Domain) -> bool:
    """Whether a rational is in a domain.  *Raises* `Unsettled`."""
    if domain.integer and value.denominator != 1:
        return False
    ends = ((domain.lower, ">" if domain.lower_open else ">="), (domain.upper, "<" if domain.upper_open else "<="))
    return all(end is None or holds(Relation(Number(value), relation, end), {}) for end, relation in ends)


def admitted(claim: Claim, point: Mapping[str, Fraction]) -> bool:
    """Whether a point is surely in the domains and fulfils what is given."""
    try:
        within = all(inside(point[name], domain) for name, domain in claim.variables.items())
        return within and all(holds(relation, point) for relation in claim.given)
    except Unsettled:
        return False


def holds_at(claim: Claim, point: Mapping[str, Fraction], where_defined: bool = False) -> bool | None:
    """Whether the conclusion holds at a point that the claim admits; None if it does not, or if it is not settled.

    With `where_defined` a relation that is not defined at the point does not settle it either.
    """
    if not admitted(claim, point):
        return None
    settled: bool | None = True
    for relation in claim.conclusion:
        try:
            if not holds(relation, point):
                if not where_defined or is_defined(relation, point):
                    return False
                settled = None
        except Unsettled:
            settled = None
    return settled


def is_defined(relation: Relation, point: Mapping[str, Fraction]) -> bool:
    """Whether both sides are defined at a point.  *Raises* `Unsettled`."""
    try:
        return all(value_at(side, point) is not None for side in (relation.left, relation.right))
    except Undefined:
        return False
