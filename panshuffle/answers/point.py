"""Where a privacy curve is read: at an eps or at a delta."""

from __future__ import annotations

from dataclasses import dataclass

from exact.certified import DEFAULT_DIGITS, Certified, ball_ends, check_digits
from exact.curve import dyadic
from exact.errors import InputError, ParameterError, Undecided
from exact.real import Real, exp, log
from exact.views.view import PaperBound, View
from panshuffle.answer import PaperValue
from panshuffle.question import Question, number, whole

NEEDED = "one point is needed: --at-eps, --at-exp-eps or --at-delta"


def exp_eps_of(question: Question) -> Real | None:
    """The e^eps at which to read, if one was given."""
    at_eps, at_exp_eps = question.get("at-eps"), question.get("at-exp-eps")
    if at_eps is not None and at_exp_eps is not None:
        raise InputError("--at-eps and --at-exp-eps say the same thing: give one of them")
    if at_eps is not None:
        eps = number("at-eps", at_eps)
        if not eps >= 0:
            raise ParameterError("at-eps", at_eps, "a finite number, at least 0")
        return exp(eps)
    if at_exp_eps is None:
        return None
    value = number("at-exp-eps", at_exp_eps)
    if not value >= 1:
        raise ParameterError("at-exp-eps", at_exp_eps, "a finite number, at least 1")
    return value


def delta_of(question: Question) -> Real | None:
    """The delta at which to read, if one was given."""
    text = question.get("at-delta")
    if text is None:
        return None
    value = number("at-delta", text)
    if not (value >= 0 and value <= 1):
        raise ParameterError("at-delta", text, "between 0 and 1")
    return value


def digits_of(question: Question) -> int:
    """The number of digits to certify."""
    text = question.get("digits")
    digits = DEFAULT_DIGITS if text is None else whole("digits", text)
    check_digits(digits)
    return digits


@dataclass(frozen=True)
class Point:
    """Where the curve is read: at an eps (as e^eps) or at a delta; `words` is how it was said."""

    exp_eps: Real | None
    delta: Real | None
    words: str

    @classmethod
    def of(cls, question: Question) -> Point:
        """The one point that was asked for."""
        exp_eps, delta = exp_eps_of(question), delta_of(question)
        if (exp_eps is None) == (delta is None):
            raise InputError(NEEDED)
        place = question.get("at-delta") or question.get("at-eps") or f"log({question.get('at-exp-eps')})"
        return cls(exp_eps, delta, f"at {'delta' if exp_eps is None else 'eps'} = {place}")

    @property
    def quantity(self) -> str:
        """What is asked for."""
        return "eps" if self.exp_eps is None else "delta"

    def read(self, view: View, digits: int) -> Certified:
        """The certified number."""
        if self.exp_eps is not None:
            return view.curve.delta(self.exp_eps)
        if self.delta is not None:
            return view.curve.epsilon(self.delta, digits)
        raise InputError(NEEDED)

    def place(self, found: Certified) -> Real | None:
        """The e^eps that the number speaks of: where it was read, or what was found; None for infinity."""
        if self.exp_eps is not None:
            return self.exp_eps
        return None if found.infinite else exp(Real(dyadic(found.ball(64))))

    def bound(self, paper: PaperBound | None) -> Real | None:
        """The paper's bound at the same point; None where there is none or its hypotheses fail."""
        if paper is None:
            return None
        try:
            if self.exp_eps is not None:
                return paper.delta(log(self.exp_eps))
            return None if self.delta is None else paper.epsilon(self.delta)
        except Undecided:
            return None

    def printed(self, paper: PaperBound | None) -> PaperValue | None:
        """The paper's bound as it is shown: rounded up."""
        bound = self.bound(paper)
        return None if bound is None or paper is None else PaperValue(Certified.of(bound).enclosure(6)[1], paper.slug)

    def times(self, paper: PaperBound | None, found: Certified) -> str | None:
        """How many times the answer the paper's bound is."""
        bound = self.bound(paper)
        if bound is None or found.infinite or found.exact == 0:
            return None
        ball = found.ball(128)
        return ball_ends(bound.ball(128) / ball, 3)[1] if ball > 0 else None
