"""Certified numbers: exact where that is known, and otherwise enclosed by balls, to as many digits as asked for.

A decision on balls refines them until it is settled; ends are rounded in the sound direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import inf, nextafter
from typing import Protocol

from flint import arb, ctx, fmpq, fmpz
from panshuffle.exact.errors import ParameterError, Undecided

FIRST_PRECISION = 64
LAST_PRECISION = 1 << 15
DEFAULT_DIGITS = 10
MOST_DIGITS = 4000
PLAIN_EXPONENTS = range(-5, 16)

Evaluate = Callable[[int], arb]


class ExactNumber(Protocol):
    """What a `Real` can do that is needed here."""

    @property
    def fraction(self) -> Fraction | None:
        """The number as a rational, if that is known."""

    def ball(self, precision: int) -> arb:
        """An enclosure computed with this precision."""

    def sign(self) -> int:
        """1, 0 or -1."""

    def __rsub__(self, other: Fraction) -> ExactNumber: ...


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
    def of(cls, value: ExactNumber | Fraction | int) -> Certified:
        """An exact number."""
        if not isinstance(value, (int, Fraction)):
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

    def decide(self, other: ExactNumber | Fraction | int) -> int:
        """The sign of self - other.  *Raises* `Undecided` where the precision limit does not settle it."""
        if self.infinite:
            return 1
        if self.exact is not None:
            if isinstance(other, (int, Fraction)):
                return (self.exact > other) - (self.exact < other)
            return (self.exact - other).sign()
        target = Certified.of(other)
        for ball, precision in improving(self.evaluate, 64, LAST_PRECISION):
            difference = ball - target.ball(precision)
            if difference > 0 or difference < 0 or difference.is_zero():
                return (difference > 0) - (difference < 0)
        raise Undecided(f"a comparison with {other} is not decided by the precision that can be reached")


@dataclass(frozen=True)
class Between(Certified):
    """A number between two certified ones.

    >>> between(Certified.of(Fraction(1, 4)), Certified.of(Fraction(1, 2))).enclosure(3)
    ('0.25', '0.5')
    """

    low: Certified = field(kw_only=True)
    high: Certified = field(kw_only=True)

    def enclosure(self, digits: int = DEFAULT_DIGITS) -> tuple[str, str]:
        """The lower end of the low number and the upper end of the high one."""
        return self.low.enclosure(digits)[0], self.high.enclosure(digits)[1]

    def decide(self, other: ExactNumber | Fraction | int) -> int:
        """The sign of self - other.  *Raises* `Undecided` where the other is not outside both ends."""
        low, high = self.low.decide(other), self.high.decide(other)
        if low > 0 or high < 0 or low == high:
            return 1 if low > 0 else high
        raise Undecided("a number that is known from both sides only is not told from another between them")


def between(low: Certified, high: Certified) -> Certified:
    """What is known of a number that is at least `low` and at most `high`."""
    if (low.infinite and high.infinite) or (low.exact is not None and low.exact == high.exact):
        return low

    def evaluate(precision: int) -> arb:
        with ctx.workprec(precision):
            return low.ball(precision).union(high.ball(precision)) if not high.infinite else arb.nan()

    return Between(evaluate, nonnegative=True, low=low, high=high)


INFINITE = Certified(lambda precision: arb.pos_inf(), infinite=True)


def refine(
    evaluate: Callable[[int], arb],
    enough: Callable[[arb], bool],
    what: str | Callable[[], str],
    first: int = FIRST_PRECISION,
) -> arb:
    """The first ball that is `enough`, over doubling precisions.  *Raises* `Undecided` at the limit, naming `what`."""
    precision, last = first, max(LAST_PRECISION, 4 * first)
    while True:
        ball = evaluate(precision)
        if ball.is_finite() and enough(ball):
            return ball
        if precision == last:
            break
        precision = min(2 * precision, last)
    raise Undecided(f"{what if isinstance(what, str) else what()} is not decided with {LAST_PRECISION} bits")


def scaled_ends(ball: arb, bits: int) -> tuple[int, int]:
    """The ends of the ball times 2^(bits + 64), rounded outward to integers."""
    if not ball.is_finite():
        raise Undecided(f"a value is not finite at {bits} bits")
    (middle, middle_exponent), (radius, radius_exponent) = ball.mid().man_exp(), ball.rad().man_exp()
    guard = bits + 64
    below = floor_shifted(int(middle), int(middle_exponent) + guard)
    above = -floor_shifted(-int(middle), int(middle_exponent) + guard)
    spread = -floor_shifted(-int(radius), int(radius_exponent) + guard)
    return below - spread, above + spread


def ball_bounds(ball: arb, bits: int) -> tuple[int, int]:
    """Integers (lower, upper) with lower <= v * 2^bits <= upper for every v in the ball."""
    low, high = scaled_ends(ball, bits)
    return low >> 64, -(-high >> 64)


def integer_part(ball: arb) -> int | None:
    """The integer part that all numbers of the ball share, if they share one."""
    low, high = scaled_ends(ball, LAST_PRECISION)
    shift = LAST_PRECISION + 64
    return low >> shift if low >> shift == high >> shift else None


def floor_of(evaluate: Callable[[int], arb], what: Callable[[], str]) -> int:
    """The integer part of a number, over doubling precisions.  *Raises* `Undecided` at the limit, naming `what`."""
    return integer_part(refine(evaluate, lambda ball: integer_part(ball) is not None, what)) or 0


def precise(evaluate: Callable[[int], arb], bits: int, what: str, first: int) -> arb:
    """The first ball with so many correct leading bits, over doubling precisions.  *Raises* as `refine`."""
    return refine(evaluate, lambda ball: ball.rel_accuracy_bits() >= bits, what, first)


def rounded_float(value: arb, up: bool) -> float:
    """A double that is certified to be at least (at most) the number, and next to it."""
    near = float((value.upper() if up else value.lower()).mid())
    while not (arb(near) >= value if up else arb(near) <= value):
        near = nextafter(near, inf if up else -inf)
    return near


def dyadic(value: arb) -> Fraction:
    """The middle of a ball, exactly."""
    mantissa, exponent = (int(part) for part in value.mid().man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def largest(balls: Iterable[arb]) -> arb:
    """An enclosure of the largest of several numbers, at the working precision."""
    return reduce(lambda first, second: first.max(second), balls)


def largest_of(values: Iterable[Certified], probability: bool = False) -> Certified:
    """The largest of several finite numbers."""
    candidates = list(values)

    def evaluate(precision: int) -> arb:
        balls = [value.ball(precision) for value in candidates]
        with ctx.workprec(precision):
            return largest(balls)

    return Certified(evaluate, probability=probability)


def finite(evaluate: Callable[[int], arb], precision: int) -> arb:
    """An enclosure with at least this precision that says something of the size: it is short, or far from 0."""
    return refine(
        evaluate, lambda ball: ball.rad() < 1 or ball.rel_accuracy_bits() > 0, "the size of a number", precision
    )


def floor_shifted(mantissa: int, shift: int) -> int:
    """floor(mantissa * 2^shift)."""
    return mantissa << shift if shift >= 0 else mantissa >> -shift


def check_digits(digits: int) -> None:
    """*Raises* `ParameterError` for a number of digits that can't be shown."""
    if not 1 <= digits <= MOST_DIGITS:
        raise ParameterError("digits", digits, f"a whole number from 1 to {MOST_DIGITS}")


def quotient(value: Fraction) -> fmpq:
    """The same number in flint's type."""
    return fmpq(value.numerator, value.denominator)


def as_fraction(value: fmpq) -> Fraction:
    """The same number in Python's type."""
    return Fraction(int(value.p), int(value.q))


def ball_of(value: Fraction, precision: int) -> arb:
    """An enclosure of a rational."""
    with ctx.workprec(precision):
        return arb(quotient(value))


def span(low: Fraction, high: Fraction, precision: int) -> arb:
    """The ball around two rationals."""
    with ctx.workprec(max(precision, 64)):
        return arb(quotient(low)).union(arb(quotient(high)))


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
