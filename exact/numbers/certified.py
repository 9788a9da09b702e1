"""Certified numbers: exact where that is known, and otherwise enclosed to as many digits as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq

from exact.errors import ParameterError, Undecided
from exact.numbers.ball import LAST_PRECISION
from exact.numbers.real import Real

DEFAULT_DIGITS = 10
MOST_DIGITS = 4000
PLAIN_EXPONENTS = range(-5, 16)

Evaluate = Callable[[int], arb]


@dataclass(frozen=True)
class Certified:
    """A number that can be enclosed at every precision; `exact` holds it where it is known to be rational.

    A ball may reach beyond what a number can be; `nonnegative` and `probability` say what that is.

    >>> third = Certified.of(Fraction(1, 3))
    >>> third.enclosure(4)
    ('0.3333', '0.3334')
    >>> Certified.of(Fraction(1, 4)).enclosure(4)
    ('0.25', '0.25')
    """

    evaluate: Evaluate
    exact: Fraction | None = None
    infinite: bool = False
    nonnegative: bool = False
    probability: bool = False

    @classmethod
    def of(cls, value: Real | Fraction | int) -> Certified:
        """An exact number."""
        if isinstance(value, Real):
            return cls(value.ball, value.fraction)
        exact = Fraction(value)
        return cls(lambda precision: ball_of(exact, precision), exact)

    def ball(self, precision: int) -> arb:
        """An enclosure computed with this precision; infinity is enclosed by itself."""
        if self.infinite:
            return arb.pos_inf()
        return ball_of(self.exact, precision) if self.exact is not None else self.evaluate(precision)

    def enclosure(self, digits: int = DEFAULT_DIGITS) -> tuple[str, str]:
        """(lower, upper) as decimals rounded outward: two units of the last of `digits` digits apart, or less.

        Where no precision up to the limit separates the number from 0, the lower end is 0 and the upper end is
        what was reached.  *Raises* `ParameterError` for digits outside 1..4000.
        """
        check_digits(digits)
        if self.infinite:
            return "inf", "inf"
        if self.exact is not None:
            return decimal_ends(self.exact, digits)
        lower, upper = ball_ends(accurate(self.evaluate, digits), digits)
        if (self.nonnegative or self.probability) and lower.startswith("-"):
            lower = "0"
        return lower, "1" if self.probability and upper[0] in "123456789" and "e-" not in upper else upper

    def decide(self, other: Real | Fraction | int) -> int:
        """The sign of self - other.  *Raises* `Undecided` where the precision limit does not settle it."""
        if self.infinite:
            return 1
        target = other if isinstance(other, Real) else Real(Fraction(other))
        if self.exact is not None:
            return (Real(self.exact) - target).sign()
        for ball, precision in improving(self.evaluate, 64, LAST_PRECISION):
            difference = ball - target.ball(precision)
            if difference > 0 or difference < 0 or difference.is_zero():
                return (difference > 0) - (difference < 0)
        raise Undecided(f"a comparison with {target} is not decided by the precision that can be reached")


INFINITE = Certified(lambda precision: arb.pos_inf(), infinite=True)


def check_digits(digits: int) -> None:
    """*Raises* `ParameterError` for a number of digits that can't be shown."""
    if not 1 <= digits <= MOST_DIGITS:
        raise ParameterError("digits", digits, f"a whole number from 1 to {MOST_DIGITS}")


def ball_of(value: Fraction, precision: int) -> arb:
    """An enclosure of a rational."""
    with ctx.workprec(precision):
        return arb(fmpq(value.numerator, value.denominator))


def accurate(evaluate: Evaluate, digits: int) -> arb:
    """The first ball, over growing precisions, that is accurate to the digits, or the best if none gets better."""
    needed = digits * 10 // 3 + 8
    best = arb.pos_inf()
    for ball, _ in improving(evaluate, needed + 32, max(LAST_PRECISION, 4 * needed)):
        best = ball if not best.is_finite() or (ball.is_finite() and ball.rad() < best.rad()) else best
        if best.is_zero() or (best.is_finite() and best.rel_accuracy_bits() >= needed):
            break
    if not best.is_finite():
        raise Undecided("a number is not enclosed by any precision that can be reached")
    return best


def improving(evaluate: Evaluate, first: int, last: int) -> Iterator[tuple[arb, int]]:
    """(ball, precision) over doubling precisions, until two of them bring nothing to a number that is known in part."""
    precision, radius, idle = first, arb.pos_inf(), 0
    while precision <= last and idle < 2:
        ball = evaluate(precision)
        yield ball, precision
        if ball.is_finite():
            idle = 0 if ball.rad() < radius * arb("0.9") or ball.rel_accuracy_bits() <= 0 else idle + 1
            radius = radius.min(ball.rad())
        precision *= 2


def ball_ends(ball: arb, digits: int) -> tuple[str, str]:
    """Decimals of so many significant digits that enclose the ball."""
    middle, radius, exponent = (int(part) for part in ball.mid_rad_10exp(digits + 8))
    low, high = middle - radius, middle + radius
    return decimal(low, exponent, digits, up=False), decimal(high, exponent, digits, up=True)


def decimal_ends(value: Fraction, digits: int) -> tuple[str, str]:
    """Decimals of so many significant digits that enclose a rational: equal where it has so few."""
    size = max(abs(value.numerator), 1)
    shift = digits + 2 - (len(str_of(size)) - len(str_of(value.denominator)))
    scaled = value * Fraction(10) ** shift
    low, high = scaled.__floor__(), scaled.__ceil__()
    return decimal(low, -shift, digits, up=False), decimal(high, -shift, digits, up=True)


def str_of(value: int) -> str:
    """The decimal digits of an integer of any size."""
    from flint import fmpz

    return str(fmpz(value))


def decimal(mantissa: int, exponent: int, digits: int, up: bool) -> str:
    """mantissa * 10^exponent, rounded up or down to so many significant digits.

    >>> decimal(12345, -7, 3, up=True), decimal(-12345, -7, 3, up=True), decimal(12345, 30, 2, up=False)
    ('0.00124', '-0.00123', '1.2e34')
    """
    excess = len(str_of(abs(mantissa))) - digits
    if excess > 0:
        mantissa = -(-mantissa // 10**excess) if up else mantissa // 10**excess
        exponent += excess
    if not mantissa:
        return "0"
    sign, text = ("-" if mantissa < 0 else ""), str_of(abs(mantissa))
    leading = exponent + len(text) - 1
    text = text.rstrip("0")
    if leading not in PLAIN_EXPONENTS:
        return f"{sign}{text[0]}{'.' if len(text) > 1 else ''}{text[1:]}e{leading}"
    if leading < 0:
        return f"{sign}0.{'0' * (-leading - 1)}{text}"
    whole = text[: leading + 1].ljust(leading + 1, "0")
    return sign + whole + ("." + text[leading + 1 :] if len(text) > leading + 1 else "")
