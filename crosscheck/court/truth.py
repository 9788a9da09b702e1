"""The certified truth of a case, and a second opinion on it by another exact method."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from flint import arb
from panshuffle.crosscheck.court.family import DELTA, Bounds, Case, check_case, exp_of
from panshuffle.exact.real import Certified, Real, ball_ends, ball_of, dyadic, exp

BITS = 128  # far more than the digits that are shown
DIGITS = 7  # digits of the truth: more than any accountant promises, and few enough for the slowest family
LARGE_EPS = 40.0  # where no eps reaches the target: an eps at which the second method must still find a larger delta


class Truth:
    """The certified truth of a case, and the second opinion on it, each computed when it is needed.

    Without `confirm` there is no second opinion, and what is called unsound has yet to be confirmed.
    """

    def __init__(self, question: Case, confirm: bool = True) -> None:
        self.question = question
        self.confirm = confirm
        check_case(question)
        self.family = question.family
        self.curve = self.family.curve(question)

    def delta(self, exp_eps: Real) -> Bounds:
        """The certified delta at e^eps."""
        ball = self.curve.delta(exp_eps).ball(BITS)
        return Bounds(ball.lower().max(0), ball.upper())

    def second(self, exp_eps: Real) -> Bounds:
        """The delta at e^eps by the second method."""
        return self.family.second(self.question, exp_eps) if self.confirm else self.delta(exp_eps)

    @cached_property
    def value(self) -> Bounds:
        """The quantity that was asked for."""
        if self.question.quantity == DELTA:
            return self.delta(exp_of(self.question.at))
        found: Certified = self.curve.epsilon(Real(Fraction(self.question.at)), DIGITS)
        return Bounds.of(found.ball(BITS))

    @cached_property
    def other(self) -> Bounds:
        """The second opinion: the delta that was asked for or, for eps at delta, the delta at the true eps."""
        if self.question.quantity == DELTA:
            return self.second(exp_of(self.question.at))
        eps = self.value.upper
        if not eps.is_finite():
            return self.second(exp_of(LARGE_EPS))
        return self.second(exp(Real(dyadic(eps))))

    @cached_property
    def agreed(self) -> bool:
        """Whether the two methods are consistent with each other."""
        if not self.confirm:
            return True
        if self.question.quantity == DELTA:
            return not self.value.upper < self.other.lower and not self.other.upper < self.value.lower
        target = arb_of(Fraction(self.question.at))
        if not self.value.upper.is_finite():
            return bool(self.other.lower > target)
        return bool(self.other.lower <= target)

    @cached_property
    def text(self) -> tuple[str, str]:
        """The truth as decimals that enclose it."""
        lower, upper = self.value.lower, self.value.upper
        if not upper.is_finite():
            return "inf", "inf"
        return decimals(lower)[0], decimals(upper)[1]


def arb_of(value: Fraction) -> arb:
    """A rational as a ball."""
    return ball_of(value, 2 * BITS)


def decimals(value: arb) -> tuple[str, str]:
    """Decimals below and above a ball."""
    return ball_ends(value, DIGITS)
