"""Sign analysis: an interval, with open and closed ends, that holds every value of a term on a claim's domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from flint import arb, ctx, fmpq

from symbolic.claim import Domain
from symbolic.point import enclosure_at, rational_at, undefined_at
from symbolic.term import Apply, Number, Symbol, Term, constant, symbols

LARGEST_POWER = 64
LARGEST_SIZE = 20_000


@dataclass(frozen=True)
class End:
    """An end of an interval: its value (None is infinite) and whether the end is outside."""

    value: Fraction | None
    is_open: bool = True


@dataclass(frozen=True)
class Range:
    """An interval that holds every value."""

    lower: End
    upper: End

    @property
    def positive(self) -> bool:
        """Whether every value is above 0."""
        low = self.lower.value
        return low is not None and (low > 0 or (low == 0 and self.lower.is_open))

    @property
    def nonnegative(self) -> bool:
        """Whether no value is below 0."""
        return self.lower.value is not None and self.lower.value >= 0

    @property
    def negative(self) -> bool:
        """Whether every value is below 0."""
        return negated(self).positive


EVERYTHING = Range(End(None), End(None))
POSITIVE = Range(End(Fraction(0)), End(None))
NONNEGATIVE = Range(End(Fraction(0), False), End(None))
ONE = Fraction(1)


def exactly(value: Fraction) -> Range:
    """The interval of one value."""
    return Range(End(value, False), End(value, False))


def negated(inner: Range) -> Range:
    """-x."""
    flip = [End(None if end.value is None else -end.value, end.is_open) for end in (inner.upper, inner.lower)]
    return Range(*flip)


def added(a: Range, b: Range) -> Range:
    """x + y."""

    def end(left: End, right: End) -> End:
        if left.value is None or right.value is None:
            return End(None)
        return End(left.value + right.value, left.is_open or right.is_open)

    return Range(end(a.lower, b.lower), end(a.upper, b.upper))


def multiplied(a: Range, b: Range) -> Range:
    """x * y: the extreme products of ends; one is reached if both ends are, or if one of them is 0 and is."""
    lows: list[tuple[bool, Fraction, bool]] = []
    highs: list[tuple[bool, Fraction, bool]] = []
    for (x, x_low), (y, y_low) in product(ends_of(a), ends_of(b)):
        zeros = [end for end in (x, y) if end.value == 0]
        if zeros:
            is_open = all(end.is_open for end in zeros) if len(zeros) == 2 else zeros[0].is_open
            finite = Fraction(0)
        elif x.value is None or y.value is None:
            up = sign_of_end(x, x_low) * sign_of_end(y, y_low) > 0
            (highs if up else lows).append((True, Fraction(0), True))
            continue
        else:
            finite, is_open = x.value * y.value, x.is_open or y.is_open
        lows.append((False, finite, is_open))
        highs.append((False, finite, is_open))
    return Range(extreme(lows, min), extreme(highs, max))


def ends_of(inner: Range) -> list[tuple[End, bool]]:
    """Both ends, each with whether it is the lower one."""
    return [(inner.lower, True), (inner.upper, False)]


def sign_of_end(end: End, is_lower: bool) -> int:
    """The sign of an end that is not 0; an infinite end has that of its side."""
    if end.value is None:
        return -1 if is_lower else 1
    return 1 if end.value > 0 else -1


def extreme(products: list[tuple[bool, Fraction, bool]], choose: Callable[[list[Fraction]], Fraction]) -> End:
    """The smallest or largest of products, each (infinite, value, open)."""
    if any(infinite for infinite, _, _ in products):
        return End(None)
    best = choose([value for _, value, _ in products])
    return End(best, all(is_open for _, value, is_open in products if value == best))


def inverted(inner: Range) -> Range:
    """1/x where x has one sign."""
    if inner.negative:
        return negated(inverted(negated(inner)))
    if not inner.positive or inner.lower.value is None:
        return EVERYTHING
    low, high = inner.lower, inner.upper
    if high.value is not None and high.value <= 0:
        return EVERYTHING  # there is no such x
    top = End(None) if low.value == 0 else End(1 / inner.lower.value, low.is_open)
    return Range(End(Fraction(0)) if high.value is None else End(1 / high.value, high.is_open), top)


def whole_power(inner: Range, exponent: int) -> Range:
    """x^n for a whole number n."""
    if exponent < 0:
        return inverted(whole_power(inner, -exponent))
    if exponent == 0 or exponent > LARGEST_POWER:
        return exactly(ONE) if exponent == 0 else POSITIVE if inner.positive else EVERYTHING
    if exponent % 2 == 0 and not inner.nonnegative:
        if inner.upper.value is not None and inner.upper.value <= 0:
            return whole_power(negated(inner), exponent)
        return Range(End(Fraction(0), False), End(None))

    if any(end.value is not None and size(end.value) * exponent > LARGEST_SIZE for end in (inner.lower, inner.upper)):
        return POSITIVE if inner.positive else NONNEGATIVE if inner.nonnegative else EVERYTHING

    def end(old: End) -> End:
        return old if old.value is None else End(old.value**exponent, old.is_open)

    return Range(end(inner.lower), end(inner.upper))


def size(value: Fraction) -> int:
    """The number of bits of a rational."""
    return value.numerator.bit_length() + value.denominator.bit_length()


def monotone(inner: Range, function: str, at: Fraction, value: Fraction, bottom: End) -> Range:
    """An increasing function (exp or log) of a range; `at` is the argument where it is the rational `value`."""

    def end(old: End, is_lower: bool) -> End:
        if old.value is None:
            return bottom if is_lower else End(None)
        if old.value == at:
            return End(value, old.is_open)
        if function == "log" and old.value <= 0:
            return End(None)
        return outward(function, old.value, is_lower)

    return Range(end(inner.lower, True), end(inner.upper, False))


def outward(function: str, argument: Fraction, is_lower: bool) -> End:
    """A rational bound of a function's value, rounded outward."""
    saved = ctx.prec
    try:
        ctx.prec = 128
        ball: arb = getattr(arb(fmpq(argument.numerator, argument.denominator)), function)()
    finally:
        ctx.prec = saved
    return ball_end(ball, is_lower)


def ball_end(ball: arb, is_lower: bool) -> End:
    """The lower or upper end of a ball as a rational; infinite where the ball is not finite or its end is huge."""
    if not ball.is_finite() or abs(ball) > arb(10) ** 300:
        return End(None)
    mantissa, exponent = (ball.lower() if is_lower else ball.upper()).man_exp()
    if int(exponent) < -LARGEST_POWER * 100:
        return End(None)
    return End(Fraction(int(mantissa)) * Fraction(2) ** int(exponent), False)


def exponential(inner: Range) -> Range:
    """exp(x)."""
    result = monotone(inner, "exp", Fraction(0), ONE, End(Fraction(0)))
    if result.lower.value is None:
        return Range(End(Fraction(0)), result.upper)
    return result if result.positive else Range(End(Fraction(0)), result.upper)


def logarithm(inner: Range) -> Range:
    """log(x) for x > 0."""
    return monotone(inner, "log", ONE, Fraction(0), End(None))


def range_of_domain(domain: Domain) -> Range:
    """The interval of a domain, its ends rounded outward where they are irrational."""
    ends: list[End] = []
    for term, is_open, is_lower in ((domain.lower, domain.lower_open, True), (domain.upper, domain.upper_open, False)):
        exact = None if term is None else rational_at(term, {})
        if exact is not None:
            ends.append(whole_end(exact, is_open, is_lower) if domain.integer else End(exact, is_open))
        elif term is not None and undefined_at(term, {}) is True:
            ends.append(ball_end(enclosure_at(term, {}), is_lower))
        else:
            ends.append(End(None))
    return Range(*ends)


def whole_end(value: Fraction, is_open: bool, is_lower: bool) -> End:
    """The first whole number inside an end."""
    from math import ceil, floor

    if is_open and value.denominator == 1:
        return End(value + (1 if is_lower else -1), False)
    return End(Fraction(ceil(value) if is_lower else floor(value)), False)


def range_of(term: Term, variables: Mapping[str, Domain]) -> Range:
    """An interval that holds every value of a term where it is defined.

    >>> from symbolic.claim import claim
    >>> from symbolic.term import parse_term
    >>> range_of(parse_term("exp(x) - 1"), claim("x > 0", x="(0, inf)").variables).positive
    True
    """
    if isinstance(term, Number):
        return exactly(term.value)
    if isinstance(term, Symbol):
        return range_of_domain(variables[term.name])
    if not symbols(term):
        return range_of_constant(term)
    ranges = [range_of(argument, variables) for argument in term.arguments]
    return combined(term, ranges)


def range_of_constant(term: Term) -> Range:
    """An interval around a constant; everything where it may be undefined."""
    exact = rational_at(term, {})
    if exact is not None:
        return exactly(exact)
    if undefined_at(term, {}) is not True:
        return EVERYTHING
    ball = enclosure_at(term, {})
    return Range(ball_end(ball, True), ball_end(ball, False))


def combined(term: Apply, ranges: list[Range]) -> Range:
    """The range of an operation from those of its arguments."""
    first = ranges[0]
    if term.operator == "exp":
        return exponential(first)
    if term.operator == "log":
        return logarithm(first)
    if term.operator == "sqrt":
        return fractional_power(first, exactly(Fraction(1, 2)))
    second = ranges[1]
    if term.operator == "+":
        return added(first, second)
    if term.operator == "-":
        return added(first, negated(second))
    if term.operator == "*":
        square = term.arguments[0] == term.arguments[1]
        return whole_power(first, 2) if square else multiplied(first, second)
    if term.operator == "/":
        return multiplied(first, inverted(second))
    exponent = constant(term.arguments[1])
    if exponent is not None and exponent.denominator == 1:
        return whole_power(first, int(exponent))
    return fractional_power(first, second)


def fractional_power(base: Range, exponent: Range) -> Range:
    """x^y for x > 0 or, with y > 0, x >= 0."""
    if base.positive:
        return exponential(multiplied(exponent, logarithm(base)))
    below_one = base.upper.value is not None and base.upper.value <= 1 and exponent.positive
    return Range(End(Fraction(0), False), End(ONE, False) if below_one else End(None))
