"""What an answer is worth: its verdict against the exact truth, and how much harm it does."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, isinf, isnan

from panshuffle.crosscheck.accountants.questions import DELTA, Question
from panshuffle.exact.errors import Undecided
from panshuffle.exact.real import Real, ball_ends, ball_of, dyadic, exp

SOUND, LOOSE, ROUNDING, UNSOUND = "sound", "loose", "rounding", "unsound"
UNDECIDED, REFUSED, FAILED = "undecided", "refused", "failed"
LEGEND = {
    SOUND: "on the right side of the truth",
    LOOSE: "sound, and more than a tenth away from the truth",
    ROUNDING: "on the wrong side by no more than rounding the question to doubles explains: one part in a million of "
    "delta, in a billion of eps, or the least positive double",
    UNSOUND: "on the wrong side by more than that",
    UNDECIDED: "inside the enclosure of the truth",
    REFUSED: "a ValueError or NotImplementedError",
    FAILED: "another error, no number, the time limit, or the memory limit",
}
MARGIN, SLACK = Fraction(1, 10**6), Fraction(1, 10**9)
LEAST_DOUBLE = Fraction(1, 1 << 1074)
TIGHT = Fraction(11, 10)
"""An upper end up to this many times the truth is not loose, nor is a lower end down to the truth over this."""
BITS, DIGITS = 128, 7

Number = Fraction | float
"""A rational, or an infinity."""


@dataclass(frozen=True)
class Grade:
    """The verdict on one end of an answer, and the harm or the distance in words."""

    verdict: str
    says: str = ""


@dataclass(frozen=True)
class Truth:
    """The exact answer of a question."""

    question: Question

    def delta(self, eps: Fraction) -> tuple[Fraction, Fraction]:
        """Both ends of the exact delta at an eps."""
        ball = self.question.curve.delta(exp(Real(eps))).ball(BITS)
        return max(dyadic(ball.lower()), Fraction(0)), dyadic(ball.upper())

    @cached_property
    def ends(self) -> tuple[Number, Number]:
        """Both ends of what is asked for; both are infinite where no eps reaches delta."""
        at = Fraction(self.question.at)
        if self.question.quantity == DELTA:
            return self.delta(at)
        ball = self.question.curve.epsilon(Real(at), DIGITS).ball(BITS)
        return (dyadic(ball.lower()), dyadic(ball.upper())) if ball.upper().is_finite() else (inf, inf)

    @cached_property
    def text(self) -> tuple[str, str]:
        """Decimals that enclose it."""
        lower, upper = self.ends
        return (decimals(lower)[0], decimals(upper)[1]) if isinstance(upper, Fraction) else ("inf", "inf")

    def grade(self, side: str, answer: str) -> Grade:
        """The grade of an upper or a lower end, which is written as a whole number, p/q, or a double."""
        value = number(answer)
        if value is None:
            return Grade(FAILED, "it is not a number")
        upper = side == "upper"
        try:
            if self.holds(value, upper):
                return self.sound(value, upper)
            return self.of_delta(value, upper) if self.question.quantity == DELTA else self.of_epsilon(value, upper)
        except Undecided as problem:
            return Grade(UNDECIDED, str(problem))

    def holds(self, value: Number, upper: bool) -> bool:
        """Whether the end is certified to be on the right side."""
        return value >= self.ends[1] if upper else value <= self.ends[0]

    def sound(self, value: Number, upper: bool) -> Grade:
        """The grade of an end on the right side."""
        true = self.ends[1 if upper else 0]
        if isinstance(true, float):
            return Grade(SOUND)
        if isinstance(value, float) or (value <= 0) != (true <= 0):
            return Grade(LOOSE, "it says nothing")
        loose = value > TIGHT * true if upper else TIGHT * value < true
        return Grade(LOOSE if loose else SOUND, f"{ratio(value, true)} times the truth" if true else "")

    def of_delta(self, value: Number, upper: bool) -> Grade:
        """The grade of a delta that is not on the right side."""
        lower, most = (Fraction(end) for end in self.ends)
        if isinstance(value, float):
            return Grade(UNSOUND)
        if lower < value < most:
            return Grade(UNDECIDED)
        near, missing = (lower, lower - value) if upper else (most, value - most)
        if missing <= max(MARGIN * near, LEAST_DOUBLE):
            return Grade(ROUNDING)
        if not upper:
            return Grade(UNSOUND, f"{ratio(value, near)} times the truth")
        return Grade(UNSOUND, f"the truth is {ratio(near, value)} times that" if value > 0 else "the truth is above 0")

    def of_epsilon(self, value: Number, upper: bool) -> Grade:
        """The grade of an eps that is not certainly on the right side, which the true delta there decides."""
        target = Fraction(self.question.at)
        place = max(value, Fraction(0)) if isinstance(value, Fraction) else Fraction(0) if upper else self.beyond()
        (lower, most), near = self.delta(place), self.delta(place * (1 + SLACK if upper else 1 - SLACK))
        if value == place and (most <= target if upper else lower >= target):
            return Grade(SOUND)
        if lower <= target if upper else most >= target:
            return Grade(UNDECIDED)
        times = f", {ratio(lower, target)} times the target" if upper and target else ""
        where = "there" if place == value else f"at eps = {float(place):.4g}"
        says = f"the true delta {where} is {decimals(lower)[0]}{times}"
        if upper:
            explained = near[1] <= target or lower <= max(target * (1 + MARGIN), target + LEAST_DOUBLE)
        else:
            explained = near[0] >= target or most >= target * (1 - MARGIN)
        return Grade(ROUNDING if explained else UNSOUND, says)

    def beyond(self) -> Fraction:
        """An eps that is certainly too large where one is."""
        return 2 * Fraction(self.ends[1]) + 1


def number(text: str) -> Number | None:
    """The number that is written: a rational or an infinity; None for nan."""
    if "/" in text or text.lstrip("-").isdigit():
        return Fraction(text)
    value = float(text)
    return None if isnan(value) else value if isinf(value) else Fraction(value)


def decimals(value: Number) -> tuple[str, str]:
    """Decimals below and above."""
    return ball_ends(ball_of(Fraction(value), 2 * BITS), DIGITS)


def ratio(one: Number, other: Number) -> str:
    """one/other to four digits, for display; their parts may be beyond the range of doubles."""
    return f"{float(ball_of(Fraction(one) / Fraction(other), BITS)):.4g}"
