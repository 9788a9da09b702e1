"""Ranges: the ends of a domain as rationals, and an interval that holds every value of a term on domains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from flint import arb, ctx
from panshuffle.symbolic.claim import Domain, Relation
from panshuffle.symbolic.interval import INFINITY, MINUS_INFINITY, WHOLE, Interval, point, point_of
from panshuffle.symbolic.point import enclosure_at, holds_at, rational_at, undefined_at
from panshuffle.symbolic.term import ONE, ZERO, Apply, Number, Symbol, Term, TermError, constant, symbols

PRECISION = 128
SMALLEST_EXPONENT = -6_400
"""An end that is nearer to 0 than 2 to this power is not written as a rational."""


@dataclass(frozen=True)
class End:
    """An end of a domain: its value (None is infinite) and whether the end is outside."""

    value: Fraction | None
    is_open: bool = True


def ends_of(domain: Domain) -> tuple[End, End]:
    """The ends of a domain, rounded outward where they are irrational."""
    ends: list[End] = []
    for term, is_open, is_lower in ((domain.lower, domain.lower_open, True), (domain.upper, domain.upper_open, False)):
        exact = None if term is None else rational_at(term, {})
        if exact is not None:
            ends.append(whole_end(exact, is_open, is_lower) if domain.integer else End(exact, is_open))
        elif term is not None and undefined_at(term, {}) is True:
            ends.append(ball_end(enclosure_at(term, {}), is_lower))
        else:
            ends.append(End(None))
    lower, upper = ends
    return lower, upper


def ball_end(ball: arb, is_lower: bool) -> End:
    """The lower or upper end of a ball as a rational; infinite where the ball is not finite or its end is huge."""
    if not ball.is_finite() or abs(ball) > arb(10) ** 300:
        return End(None)
    mantissa, exponent = (ball.lower() if is_lower else ball.upper()).man_exp()
    if int(exponent) < SMALLEST_EXPONENT:
        return End(None)
    return End(Fraction(int(mantissa)) * Fraction(2) ** int(exponent), False)


def whole_end(value: Fraction, is_open: bool, is_lower: bool) -> End:
    """The first whole number inside an end."""
    if is_open and value.denominator == 1:
        return End(value + (1 if is_lower else -1), False)
    return End(Fraction(ceil(value) if is_lower else floor(value)), False)


def whole_ends(domain: Domain) -> tuple[int | None, int | None]:
    """Whole numbers between which all whole numbers of a domain lie; None where no end is known."""
    lower, upper = (end.value for end in ends_of(replace(domain, integer=True)))
    return None if lower is None else ceil(lower), None if upper is None else floor(upper)


def range_of(term: Term, variables: Mapping[str, Domain]) -> Interval:
    """An interval that holds every value of a term where it is defined.

    >>> from panshuffle.symbolic.claim import claim
    >>> from panshuffle.symbolic.term import parse_term
    >>> range_of(parse_term("exp(x) - 1"), claim("x > 0", x="(0, inf)").variables).positive
    True
    """
    with ctx.workprec(PRECISION):
        return enclosed(term, variables)


def enclosed(term: Term, variables: Mapping[str, Domain]) -> Interval:
    """As `range_of`, at the working precision."""
    if isinstance(term, Number):
        return point_of(term.value)
    if isinstance(term, Symbol):
        return interval_of(variables[term.name])
    if not symbols(term):
        return constant_interval(term)
    return combined(term, [enclosed(argument, variables) for argument in term.arguments])


def interval_of(domain: Domain) -> Interval:
    """The interval of a domain."""
    lower, upper = ends_of(domain)
    low = MINUS_INFINITY if lower.value is None else point_of(lower.value).lower
    high = INFINITY if upper.value is None else point_of(upper.value).upper
    return Interval(low, high, lower.is_open, upper.is_open)


def constant_interval(term: Term) -> Interval:
    """An interval around a constant; everything where it may be undefined."""
    exact = rational_at(term, {})
    if exact is not None:
        return point_of(exact)
    return point(enclosure_at(term, {})) if undefined_at(term, {}) is True else WHOLE


def combined(term: Apply, ranges: list[Interval]) -> Interval:
    """The range of an operation from those of its arguments."""
    first = ranges[0]
    if term.operator == "exp":
        return first.exp()
    if term.operator == "log":
        return first.log()
    if term.operator == "sqrt":
        return first.power(point_of(Fraction(1, 2)))
    second = ranges[1]
    if term.operator == "+":
        return first + second
    if term.operator == "-":
        return first + -second
    if term.operator == "*":
        return first.whole_power(2) if term.arguments[0] == term.arguments[1] else first * second
    if term.operator == "/":
        return first * second.reciprocal()
    exponent = constant(term.arguments[1])
    if exponent is not None and exponent.denominator == 1:
        return first.whole_power(int(exponent))
    return first.power(second)


# Domains: cut by a relation, and intersected.


def both(one: Domain, other: Domain) -> Domain:
    """The numbers in both domains.  *Raises* `TermError` where it is not clear which end is the inner one."""
    found: Domain | None = replace(one, integer=one.integer or other.integer)
    for end, sign in (
        (other.lower, ">" if other.lower_open else ">="),
        (other.upper, "<" if other.upper_open else "<="),
    ):
        found = found if end is None or found is None else cut(found, sign, end)
    if found is None:
        raise TermError("it can't be decided which of two ends of a domain is the inner one")
    return found


def cut(domain: Domain, sign: str, end: Term) -> Domain | None:
    """The part of a domain with x <sign> end; None where ends can't be compared."""
    if sign == "=":
        found = cut(domain, "<=", end)
        return None if found is None else cut(found, ">=", end)
    low, is_open = sign in (">", ">="), sign in ("<", ">")
    old, old_open = (domain.lower, domain.lower_open) if low else (domain.upper, domain.upper_open)
    if old is not None:
        inner, same = holds_at(Relation(end, ">" if low else "<", old), {}), holds_at(Relation(end, "=", old), {})
        if inner is None and same is None:
            return None
        if same is True:
            is_open = is_open or old_open
        elif inner is not True:
            return domain
    return replace(domain, lower=end, lower_open=is_open) if low else replace(domain, upper=end, upper_open=is_open)


@dataclass(frozen=True)
class Parameter:
    """A variable as a term in a new variable, and what is left to be supposed."""

    name: str
    value: Term
    new: str
    domain: Domain
    given: tuple[Relation, ...]


def parametrized(bound: Relation, domains: Mapping[str, Domain]) -> Iterator[Parameter]:
    """A variable in terms of a new one, where that says what a hypothesis and the variable's domain say.

    For 0 <= x <= t that is x = s t with s in [0, 1], for x >= t it is x = t + s with s >= 0.

    >>> from panshuffle.symbolic.claim import claim
    >>> from panshuffle.symbolic.term import text_of
    >>> ordered = claim("p <= q", p="[0, 1]", q="[0, 1]")
    >>> [(one.name, text_of(one.value)) for one in parametrized(ordered.conclusion[0], ordered.variables)]
    [('p', '(s * q)'), ('q', '(1 + (s * (p - 1)))')]
    """
    for name, sign, term in bound.readings():
        domain = domains.get(name)
        if domain is None or sign in ("=", "!=") or not symbols(term) <= domains.keys():
            continue
        up, strict = sign in (">", ">="), sign in ("<", ">")
        near, near_open, far, far_open = domain.lower, domain.lower_open, domain.upper, domain.upper_open
        if not up:
            near, near_open, far, far_open = far, far_open, near, near_open
        new = next(letter for letter in ("s", "t", "u", "v", "w", "s_1", "s_2") if letter not in domains)
        if domain.integer and (far is not None or not is_whole(term, domains)):
            continue
        if far is None:
            value = Apply("+" if up else "-", (term, Symbol(new)))
            least = Number(Fraction(int(strict and domain.integer)))
            inside = Domain(least, None, strict and not domain.integer, True, domain.integer)
        else:
            part = Apply("*", (Symbol(new), term if far == ZERO else Apply("-", (term, far))))
            value, inside = part if far == ZERO else Apply("+", (far, part)), Domain(ZERO, ONE, far_open, strict)
        left: tuple[Relation, ...] = ()
        if near is not None:
            gap = Apply("-", (term, near) if up else (near, term))
            own = Relation(value, (">" if up else "<") + "=" * (not near_open), near)
            left = () if range_of(gap, domains).nonnegative else (own,)
        yield Parameter(name, value, new, inside, left)


def is_whole(term: Term, domains: Mapping[str, Domain]) -> bool:
    """Whether a term is plainly a whole number."""
    if isinstance(term, Symbol):
        return domains[term.name].integer
    value = constant(term)
    if value is not None:
        return value.denominator == 1
    return isinstance(term, Apply) and term.operator in "+-*" and all(is_whole(one, domains) for one in term.arguments)


def is_empty(domain: Domain) -> bool:
    """Whether a domain surely has no number in it."""
    if domain.lower is None or domain.upper is None:
        return False
    if domain.integer:
        low, high = whole_ends(domain)
        return low is not None and high is not None and low > high
    closed = not (domain.lower_open or domain.upper_open)
    return holds_at(Relation(domain.lower, "<=" if closed else "<", domain.upper), {}) is False
