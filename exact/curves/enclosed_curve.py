"""Curves that are known from both sides only: a certified lower and a certified upper one."""

from __future__ import annotations

from dataclasses import dataclass, field

from flint import arb, ctx

from exact.curves.curve import Curve
from exact.errors import Undecided
from exact.numbers.certified import DEFAULT_DIGITS, INFINITE, Certified, between
from exact.numbers.real import Real, log, scaled_bounds

LARGEST_FACTOR_BITS = 2048
BOUND_DIGITS = 5


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
