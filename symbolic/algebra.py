"""The second algebra system decides: an equation holds on a domain because sympy reduces its difference to 0.

Nothing is shared with the first (`symbolic.identity`) but what a claim means: fractions, signs, values at points,
derivatives and moments are found in other ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce

import sympy
from panshuffle.symbolic.algebra_form import NoForm, System, powered_sign, product_sign
from panshuffle.symbolic.algebra_point import (
    ARITHMETIC,
    LARGEST_BITS,
    Undefined,
    Unsettled,
    admitted,
    holds_at,
    value_at,
)
from panshuffle.symbolic.algebra_sign import OPPOSITE, Range
from panshuffle.symbolic.claim import Claim, Domain, Relation
from panshuffle.symbolic.term import Apply, Number, Symbol, Term, constant, substitute, symbols
from sympy.polys.polyerrors import BasePolynomialError

__all__ = ["FAILURES", "differentiated", "holds_at", "proves"]
ENOUGH = {"!=": ("!=", ">", "<"), ">": (">",), ">=": (">", ">=")}
FAILURES = (NoForm, Undefined, Unsettled, RecursionError, ArithmeticError, BasePolynomialError, NotImplementedError)


def proves(claim: Claim, points: Iterable[Mapping[str, Fraction]]) -> bool:
    """Whether every term is shown to be defined, every equation to hold, and the claim to admit one of the points.

    >>> from panshuffle.symbolic.claim import claim
    >>> proves(claim("log(x^2 - 1) = log(x - 1) + log(x + 1)", x="(1, 2]"), [{"x": Fraction(2)}])
    True
    >>> proves(claim("sqrt(x^2) = x", x="[-1, 1]"), [{"x": Fraction(1)}])
    False
    """
    if not claim.conclusion or any(relation.relation != "=" for relation in claim.conclusion):
        return False
    try:
        system = System({name: range_of(domain) for name, domain in claim.variables.items()})
        shown = all(defined(relation, claim.given[:n], system) for n, relation in enumerate(claim.given))
        shown = shown and all(defined(relation, claim.given, system) for relation in claim.conclusion)
        shown = shown and all(vanishes(relation, claim, system) for relation in claim.conclusion)
        return shown and any(admitted(claim, point) for point in points)
    except FAILURES:
        return False


def range_of(domain: Domain) -> Range:
    """The interval of a domain, without an irrational end.  *Raises* `Undefined` for an end that is no number."""
    ends = [None if end is None else value_at(end, {}) for end in (domain.lower, domain.upper)]
    lower, upper = (Fraction(int(e.p), int(e.q)) if e is not None and e.is_Rational else None for e in ends)
    return Range(lower, upper, domain.lower_open, domain.upper_open)


def defined(relation: Relation, given: Sequence[Relation], system: System) -> bool:
    """Whether both sides are defined on the whole domain, under hypotheses."""
    return all(
        sign_of_term(system, condition.left) in ENOUGH[condition.relation]
        or any(follows(condition, known, system) for known in given)
        for condition in relation.conditions()
    )


def follows(condition: Relation, known: Relation, system: System) -> bool:
    """Whether a hypothesis says what a condition asks for: their terms differ by a rational factor."""
    difference = system.expression(Apply("-", (known.left, known.right)))
    if known.relation == "=" or difference == 0:
        return False
    content, factors = system.factored(system.expression(condition.left) / difference)
    relation = known.relation if content > 0 or known.relation == "!=" else OPPOSITE[known.relation]
    return not factors and relation in ENOUGH[condition.relation]


def vanishes(relation: Relation, claim: Claim, system: System) -> bool:
    """Whether the difference of both sides is 0, with what equations define replaced."""
    difference: Term = Apply("-", (relation.left, relation.right))
    for known in claim.given:
        name, meaning = known.left, known.right
        if known.relation == "=" and isinstance(name, Symbol) and name.name not in symbols(meaning):
            difference = substitute(difference, {name.name: meaning})
    return not system.quotient(system.expression(difference)).above


def sign_of_term(system: System, term: Term) -> str | None:
    """The relation to 0 that a term has on the whole domain: from its parts, or else from its polynomial."""
    found = sign_of_parts(system, term) if isinstance(term, Apply) else None
    return found if found in (">", "<") else system.sign(system.expression(term)) or found


def sign_of_parts(system: System, term: Apply) -> str | None:
    """The relation to 0 that a term has by those of its arguments."""
    first = term.arguments[0]
    if term.operator == "exp":
        return ">"
    if term.operator == "log":
        return system.sign(system.expression(first) - 1)
    if term.operator == "sqrt":
        return ">" if sign_of_term(system, first) == ">" else ">="
    if term.operator == "^":
        return sign_of_power(sign_of_term(system, first), constant(term.arguments[1]))
    signs = [sign_of_term(system, argument) for argument in term.arguments]
    if term.operator in ("*", "/"):
        return product_sign(*signs)
    left, right = signs[0], signs[1] if term.operator == "+" else OPPOSITE.get(signs[1] or "")
    if left is None or right is None or left[0] != right[0]:
        return None
    return left if len(left) <= len(right) else right


def sign_of_power(base: str | None, exponent: Fraction | None) -> str | None:
    """The relation to 0 of a power by that of its base; an exponent that is no constant has a positive base."""
    if exponent is None:
        return ">"
    if exponent.denominator == 1:
        return powered_sign(base, int(exponent))
    return ">" if base == ">" else ">="


def to_sympy(term: Term) -> sympy.Expr:
    """The term as a sympy expression, whose symbols are just numbers."""
    if isinstance(term, Number):
        return sympy.Rational(*term.value.as_integer_ratio())
    if isinstance(term, Symbol):
        return sympy.Symbol(term.name)
    values = [to_sympy(argument) for argument in term.arguments]
    inside = values[-1] if term.operator in ("exp", "^") else sympy.Integer(0)
    if any(max(abs(number.p), number.q) > LARGEST_BITS for number in inside.atoms(sympy.Rational)):
        raise NoForm("an exponent is too large")
    if term.operator in ("exp", "log", "sqrt"):
        return getattr(sympy, term.operator)(values[0])
    return values[0] ** values[1] if term.operator == "^" else ARITHMETIC[term.operator](*values)


def from_sympy(expression: sympy.Expr) -> Term:
    """The term of a sympy expression.  *Raises* `NoForm` for a function that terms do not have."""
    if expression.is_Rational:
        return Number(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return Symbol(expression.name)
    if expression is sympy.E:
        return Apply("exp", (Number(Fraction(1)),))
    operator = {sympy.Add: "+", sympy.Mul: "*", sympy.Pow: "^", sympy.exp: "exp", sympy.log: "log"}.get(expression.func)
    if operator is None:
        raise NoForm(f"{expression} is not a term")
    parts = [from_sympy(part) for part in expression.args]
    return Apply(operator, (*parts,)) if len(parts) == 1 else reduce(lambda a, b: Apply(operator, (a, b)), parts)


def differentiated(term: Term, name: str) -> Term:
    """The derivative by sympy.

    >>> from panshuffle.symbolic.term import parse_term, text_of
    >>> text_of(differentiated(parse_term("x^3 + y"), "x"))
    '(3 * (x ^ 2))'
    """
    return from_sympy(sympy.diff(to_sympy(term), sympy.Symbol(name)))
