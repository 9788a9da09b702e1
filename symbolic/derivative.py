"""The derivative of a term, as a term."""

from __future__ import annotations

from fractions import Fraction

from symbolic.term import Apply, Number, Symbol, Term, constant, minus, symbols

ZERO = Number(Fraction(0))
ONE = Number(Fraction(1))


def derivative(term: Term, name: str) -> Term:
    """The derivative by one variable, where the term is differentiable; nothing but 0 and 1 is simplified.

    >>> from symbolic.term import parse_term, text_of
    >>> text_of(derivative(parse_term("x^3 + y"), "x"))
    '(3 * (x ^ 2))'
    >>> text_of(derivative(parse_term("exp(2*x)"), "x"))
    '(2 * exp((2 * x)))'
    """
    if isinstance(term, Symbol):
        return ONE if term.name == name else ZERO
    if isinstance(term, Number) or name not in symbols(term):
        return ZERO
    if term.operator in ("+", "-"):
        left, right = (derivative(argument, name) for argument in term.arguments)
        return total(left, right) if term.operator == "+" else total(left, opposite(right))
    if term.operator == "*":
        (left, right) = term.arguments
        return total(times(derivative(left, name), right), times(left, derivative(right, name)))
    if term.operator == "/":
        return quotient_rule(term.arguments[0], term.arguments[1], name)
    if term.operator == "^":
        return power_rule(term, term.arguments[0], term.arguments[1], name)
    (inside,) = term.arguments
    slope = derivative(inside, name)
    if term.operator == "exp":
        return times(slope, term)
    if term.operator == "log":
        return Apply("/", (slope, inside))
    return Apply("/", (slope, Apply("*", (Number(Fraction(2)), term))))


def quotient_rule(above: Term, below: Term, name: str) -> Term:
    """(a/b)' = (a' - (a/b) b') / b."""
    falling = times(Apply("/", (above, below)), derivative(below, name))
    return Apply("/", (total(derivative(above, name), opposite(falling)), below))


def power_rule(term: Term, base: Term, exponent: Term, name: str) -> Term:
    """(b^e)' = e b^(e-1) b' for a constant exponent, else b^e (e' log b + e b'/b)."""
    value = constant(exponent)
    if value is not None:
        lowered = base if value == 2 else ONE if value == 1 else Apply("^", (base, Number(value - 1)))
        return times(times(Number(value), lowered), derivative(base, name))
    rate = Apply("/", (times(exponent, derivative(base, name)), base)) if name in symbols(base) else ZERO
    return times(term, total(times(derivative(exponent, name), Apply("log", (base,))), rate))


def total(left: Term, right: Term) -> Term:
    """left + right, without a summand 0."""
    return right if left == ZERO else left if right == ZERO else Apply("+", (left, right))


def times(left: Term, right: Term) -> Term:
    """left * right, without a factor 1, and 0 if one of them is 0."""
    if ZERO in (left, right):
        return ZERO
    return right if left == ONE else left if right == ONE else Apply("*", (left, right))


def opposite(term: Term) -> Term:
    """-term."""
    return ZERO if term == ZERO else minus(term)
