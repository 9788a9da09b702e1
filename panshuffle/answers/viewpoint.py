"""What a question looks at: the view of a protocol, and the point where its privacy curve is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exact.curves.curve import PaperBound, View, dyadic
from exact.numbers.certified import DEFAULT_DIGITS, Certified, ball_ends, check_digits
from exact.numbers.real import Real, exp, log

from exact.errors import InputError, ParameterError, Undecided, shortened
from panshuffle.answer import PaperValue
from panshuffle.card import AnyCard, card
from panshuffle.question import Question, number, whole
from panshuffle.setting import Part

POINT_NEEDED = "one point is needed: --at-eps, --at-exp-eps or --at-delta"
OWN = ("pmf", "randomizer")
"""What stands in place of a protocol's name for what somebody brings along in a file."""


def refuse_file(question: Question) -> None:
    """*Raises* `InputError` for a file beside a protocol of the paper."""
    if question.has("file"):
        raise InputError(f"--file has no meaning for {question.subject}: it belongs to {' and '.join(OWN)}")


@dataclass(frozen=True)
class Viewed:
    """A protocol of which something is asked: its card, its record and its view."""

    card: AnyCard
    record: object
    view: View
    parameters: Mapping[str, str]


def viewed(question: Question, part: Part) -> Viewed:
    """The protocol with its view.  *Raises* `InputError` for what has no meaning."""
    found = card(question.subject)
    setting = found.setting(question.letters, part)
    record = found.record_of(found.assumed(question.letters, part))
    if part.t is not None:
        check_time(part.t, found.runner(record).rows)
    given = question.letters.given
    derived = {letter: shortened(value) for letter, value in found.derived(record).items() if letter not in given}
    return Viewed(found, record, found.view(record, setting), {**given, **derived})


def check_time(t: int, length: int) -> None:
    """*Raises* `ParameterError` for a time outside the stream."""
    if not 0 <= t <= length:
        raise ParameterError("t", t, f"a whole number from 0 to {length}, the length of the stream")


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
            raise InputError(POINT_NEEDED)
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
        raise InputError(POINT_NEEDED)

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


def part_of(question: Question) -> Part:
    """The part of the view that the options say.  *Raises* `InputError` for options that exclude each other."""
    pool, pair = question.has("pool"), question.has("pair")
    if pool and pair:
        raise InputError("--pool and --pair exclude each other")
    t, holders = question.get("t"), question.get("holders")
    counts = None if holders is None else counts_of(holders, 1 if pool else 2)
    return Part(pool, pair, question.get("direction"), counts, None if t is None else whole("t", t, 0))


def counts_of(text: str, many: int) -> tuple[int, ...]:
    """So many whole numbers with commas between them.  *Raises* `ParameterError` for anything else."""
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts) or len(parts) != many:
        raise ParameterError("holders", text, "C with --pool, and CA,CB otherwise (whole numbers)")
    return tuple(int(part) for part in parts)
