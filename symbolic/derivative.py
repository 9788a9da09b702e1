"""The derivative of a term, as a term, and the prover of a printed derivative."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from panshuffle.symbolic.algebra import differentiated
from panshuffle.symbolic.claim import Claim, Domain, Relation, check_declared, claim, definedness
from panshuffle.symbolic.decision import Decision, Status
from panshuffle.symbolic.identity import ONE_SYSTEM, check_identity
from panshuffle.symbolic.point import holds_at
from panshuffle.symbolic.term import (
    ONE,
    ZERO,
    Apply,
    Number,
    Symbol,
    Term,
    TermError,
    constant,
    minus,
    parse_term,
    plus,
    symbols,
    times,
)


def check_derivative(of: str, by: str, equals: str, /, **domains: str) -> Decision:
    """Proved if a term is defined and differentiable on the whole domain and its derivative is what is printed.

    It is found by our rules and, for the second algebra system, by sympy's.  Refuted with a point where the term is not
    defined, or where it has another derivative.  *Raises* `TermError` for a variable to differentiate by that does not
    range over an interval.

    >>> check_derivative("x^3", "x", "3*x^2", x="[0, 1]").status
    <Status.PROVED: 'proved'>
    >>> check_derivative("x + log(y)", "x", "1", x="[0, 1]", y="[0, 1]").witness
    'at x = 0, y = 0: a term is not defined, because y > 0 fails'
    """
    term, printed = parse_term(of), parse_term(equals)
    variables = claim("0 = 0", **domains).variables
    check_declared(symbols(term) | symbols(printed) | {by}, variables)
    if not is_interval(variables[by]):
        raise TermError(f"{by} has no interval to range over, so that nothing has a derivative by it")
    slope = derivative(term, by)
    there = (Relation(term, "=", term), Relation(slope, "=", slope))
    goal = Claim(variables, (), (*there, Relation(slope, "=", printed)))

    def by_sympy() -> Claim:
        return replace(goal, conclusion=(*there, Relation(differentiated(term, by), "=", printed)))

    answer = check_identity(goal, second=by_sympy)
    if answer.status is not Status.REFUTED:
        return answer
    given = tuple(reversed(definedness(slope)))
    undefined = check_identity(replace(goal, conclusion=there[:1]))
    other = check_identity(replace(goal, given=given), second=lambda: replace(by_sympy(), given=given))
    refuted = next((a for a in (undefined, other) if a.status is Status.REFUTED), None)
    return refuted or Decision(Status.UNDECIDED, ONE_SYSTEM)


def is_interval(domain: Domain) -> bool:
    """Whether a domain surely has an interior."""
    if domain.integer or domain.lower is None or domain.upper is None:
        return not domain.integer
    return holds_at(Relation(domain.lower, "<", domain.upper), {}) is True


def derivative(term: Term, name: str) -> Term:
    """The derivative by one variable, where the term is differentiable; nothing but 0 and 1 is simplified.

    >>> from panshuffle.symbolic.term import parse_term, text_of
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
        return plus(left, right) if term.operator == "+" else plus(left, opposite(right))
    if term.operator == "*":
        (left, right) = term.arguments
        return plus(times(derivative(left, name), right), times(left, derivative(right, name)))
    if term.operator == "/":
        above, below = term.arguments  # (a/b)' = (a' - (a/b) b') / b
        falling = times(term, derivative(below, name))
        return Apply("/", (plus(derivative(above, name), opposite(falling)), below))
    if term.operator == "^":
        return power_rule(term, term.arguments[0], term.arguments[1], name)
    (inside,) = term.arguments
    slope = derivative(inside, name)
    if term.operator == "exp":
        return times(slope, term)
    if term.operator == "log":
        return Apply("/", (slope, inside))
    return Apply("/", (slope, Apply("*", (Number(Fraction(2)), term))))


def power_rule(term: Term, base: Term, exponent: Term, name: str) -> Term:
    """(b^e)' = e b^(e-1) b' for a constant exponent, else b^e (e' log b + e b'/b)."""
    value = constant(exponent)
    if value is not None:
        lowered = base if value == 2 else ONE if value == 1 else Apply("^", (base, Number(value - 1)))
        return times(times(Number(value), lowered), derivative(base, name))
    rate = Apply("/", (times(exponent, derivative(base, name)), base)) if name in symbols(base) else ZERO
    return times(term, plus(times(derivative(exponent, name), Apply("log", (base,))), rate))


def opposite(term: Term) -> Term:
    """-term."""
    return ZERO if term == ZERO else minus(term)
