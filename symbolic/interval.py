"""Intervals whose ends may be infinite or excluded, rounded outward from Arb.

An interval encloses the values of a term where it is defined.  An open end is a number that no value equals, so that
(0, 1) shows a strict sign although its end is 0.  A lower end is never +inf, an upper end never -inf.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpz
from panshuffle.exact.real import quotient

INFINITY = arb("inf")
MINUS_INFINITY = arb("-inf")
ZERO = arb(0)
ONE = arb(1)

End = tuple[arb, bool]


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from lower to upper, without an end that is open."""

    lower: arb
    upper: arb
    lower_open: bool
    upper_open: bool

    def __add__(self, other: Interval) -> Interval:
        return outward(
            self.lower + other.lower,
            self.upper + other.upper,
            self.lower_open or other.lower_open,
            self.upper_open or other.upper_open,
        )

    def __neg__(self) -> Interval:
        return Interval(-self.upper, -self.lower, self.upper_open, self.lower_open)

    def __mul__(self, other: Interval) -> Interval:
        lows, highs = ends(self), ends(other)
        corners = [corner(one, two) for one in lows for two in highs]
        if any(value.is_nan() for value, _ in corners):
            return WHOLE
        lower, lower_open = smallest(corners)
        upper, upper_open = smallest([(-value, is_open) for value, is_open in corners])
        return outward(lower, -upper, lower_open, upper_open)

    def reciprocal(self) -> Interval:
        """1/x; the whole line unless 0 is outside."""
        if self.sign() < 0:
            return -(-self).reciprocal()
        if self.sign() == 0:
            return WHOLE
        upper = INFINITY if self.lower == 0 else ONE / self.lower
        lower = ZERO if self.upper == INFINITY else ONE / self.upper
        return outward(lower, upper, self.upper_open, self.lower_open)

    def exp(self) -> Interval:
        """e^x."""
        lower = ZERO if self.lower == MINUS_INFINITY else self.lower.exp()
        upper = INFINITY if self.upper == INFINITY else self.upper.exp()
        result = outward(lower, upper, self.lower_open, self.upper_open)
        return result if result.lower > 0 else Interval(ZERO, result.upper, True, result.upper_open)

    def log(self) -> Interval:
        """The natural logarithm of the positive numbers in the interval."""
        if not self.upper > 0:
            return WHOLE
        lower = self.lower.log() if self.lower > 0 else MINUS_INFINITY
        upper = INFINITY if self.upper == INFINITY else self.upper.log()
        return outward(lower, upper, self.lower_open or not self.lower > 0, self.upper_open)

    def whole_power(self, exponent: int) -> Interval:
        """x^exponent for a whole exponent."""
        if exponent < 0:
            return self.whole_power(-exponent).reciprocal() if self.sign() else WHOLE
        if exponent == 0:
            return point(ONE)
        if exponent % 2 and not self.lower >= 0:
            return monotone_power(self, exponent)
        size = self.size()
        return monotone_power(size, exponent)

    def power(self, exponent: Interval) -> Interval:
        """x^y for the numbers x of the interval that are not negative, where 0^y is 0."""
        result = (self.log() * exponent).exp() if self.upper > 0 else WHOLE
        if self.sign() > 0:
            return result
        return Interval(ZERO, result.upper, False, result.upper_open)

    def size(self) -> Interval:
        """|x|."""
        if self.lower >= 0:
            return self
        if self.upper <= 0:
            return -self
        upper, upper_open = smallest([(self.lower, self.lower_open), (-self.upper, self.upper_open)])
        return Interval(ZERO, -upper, False, upper_open)

    @property
    def positive(self) -> bool:
        """Whether every number is above 0."""
        return bool(self.lower > 0 or (self.lower == 0 and self.lower_open))

    @property
    def nonnegative(self) -> bool:
        """Whether no number is below 0."""
        return bool(self.lower >= 0)

    @property
    def negative(self) -> bool:
        """Whether every number is below 0."""
        return (-self).positive

    def sign(self) -> int:
        """1 or -1 if every number has that sign, else 0."""
        return self.positive - self.negative


def sign_of(ball: arb) -> int:
    """1 or -1 if a ball surely has that sign, else 0."""
    return int(ball.is_finite()) * (int(ball > 0) - int(ball < 0))


def ends(interval: Interval) -> tuple[End, End]:
    """The two ends with whether they are open."""
    return (interval.lower, interval.lower_open), (interval.upper, interval.upper_open)


def corner(one: End, two: End) -> End:
    """The product of two ends; 0 times infinity is 0, because no number is infinite."""
    (a, a_open), (b, b_open) = one, two
    if a == 0 or b == 0:
        return ZERO, not ((a == 0 and not a_open) or (b == 0 and not b_open))
    return a * b, a_open or b_open


def smallest(candidates: list[End]) -> End:
    """The candidate with the least lower bound; it is closed where any that may be as small is."""
    lowers = [value.lower() for value, _ in candidates]
    least = min(lowers)
    reaching = [is_open for lower, (_, is_open) in zip(lowers, candidates, strict=True) if not lower > least]
    return least, all(reaching)


def outward(lower: arb, upper: arb, lower_open: bool, upper_open: bool) -> Interval:
    """The interval from the lower end of one ball to the upper end of another."""
    low, high = lower.lower(), upper.upper()
    if low.is_nan() or low == INFINITY:
        low, lower_open = MINUS_INFINITY, True
    if high.is_nan() or high == MINUS_INFINITY:
        high, upper_open = INFINITY, True
    return Interval(low, high, lower_open, upper_open)


def monotone_power(interval: Interval, exponent: int) -> Interval:
    """x^exponent where that increases: an odd exponent, or numbers that are not negative."""
    lower = interval.lower if not interval.lower.is_finite() else interval.lower ** fmpz(exponent)
    upper = interval.upper if not interval.upper.is_finite() else interval.upper ** fmpz(exponent)
    return outward(lower, upper, interval.lower_open, interval.upper_open)


def point(value: arb) -> Interval:
    """The interval of one number that a ball encloses."""
    return outward(value, value, False, False)


def point_of(value: Fraction) -> Interval:
    """The interval of one rational.

    >>> point_of(Fraction(1, 2)).lower == point_of(Fraction(1, 2)).upper
    True
    """
    return point(arb(quotient(value)))


WHOLE = Interval(MINUS_INFINITY, INFINITY, True, True)
