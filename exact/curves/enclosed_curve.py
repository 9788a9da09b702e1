"""Numbers and curves that are known from both sides only: a certified lower and a certified upper end."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from flint import arb, ctx, fmpq

from exact.curves.curve import Curve
from exact.errors import Undecided
from exact.numbers.certified import DEFAULT_DIGITS, INFINITE, Certified
from exact.numbers.real import Real, log, scaled_bounds

LARGEST_FACTOR_BITS = 2048
BOUND_DIGITS = 5


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

    def decide(self, other: Real | Fraction | int) -> int:
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


@dataclass(frozen=True)
class EnclosedCurve(Curve):
    """A curve between two others."""

    below: Curve = field(kw_only=True)
    above: Curve = field(kw_only=True)

    def delta(self, exp_eps: Real) -> Certified:
        """delta at e^eps, from both sides."""
        return between(self.below.delta(exp_eps), self.above.delta(exp_eps))

    def epsilon(self, delta: Real, digits: int = DEFAULT_DIGITS) -> Certified:
        """The least eps at which the curve is at most delta, from both sides; an open side is 0 or infinity."""
        digits = min(digits, BOUND_DIGITS)
        try:
            low = self.below.epsilon(delta, digits)
        except Undecided:
            low = Certified.of(0)
        try:
            high = self.above.epsilon(delta, digits)
        except Undecided:
            high = INFINITE
        return between(low, high)

    def pure_eps(self) -> Certified:
        """The eps from which on delta is 0, from both sides."""
        return between(self.below.pure_eps(), self.above.pure_eps())


def enclosed(below: Curve, above: Curve) -> Curve:
    """The curve between two."""

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision):
            return below.ball(exp_eps, precision).union(above.ball(exp_eps, precision))

    return EnclosedCurve(ball, below=below, above=above)


def factor_ends(exp_eps: Real, bits: int) -> tuple[int, int | None]:
    """Integers (a, b) with a <= e^eps * 2^bits <= b; b is None, and a only a bound, for an absurdly large e^eps."""
    exponent = log(exp_eps).ball(64)
    if exponent > LARGEST_FACTOR_BITS:
        return 1 << (LARGEST_FACTOR_BITS + bits), None
    return scaled_bounds(exp_eps, bits)


def span(low: int, high: int, scale: int, precision: int) -> arb:
    """The ball around [low/scale, high/scale]."""
    with ctx.workprec(max(precision, 64)):
        return arb(fmpq(low, scale)).union(arb(fmpq(high, scale)))
