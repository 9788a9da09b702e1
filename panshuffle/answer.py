"""An answer: a certified number with what it covers and why, how to get it again, and where a curve was read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from html import escape
from importlib import import_module
from typing import TypeAlias

from panshuffle.exact.curves.curve import EXACT, TWO_SIDED, UPPER_BOUND, PaperBound, View
from panshuffle.exact.errors import InputError, ParameterError, Undecided
from panshuffle.exact.real import (
    DEFAULT_DIGITS,
    Certified,
    Real,
    ball_ends,
    check_digits,
    dyadic,
    exp,
    fraction_text,
    log,
    real,
)
from panshuffle.question import Json, Question, number, whole

ZERO = real(0)
ANSWERED_BY = dict.fromkeys(("compose", "curve"), "panshuffle.answers.privacy")
"""The modules of the kinds of questions that have no module of their own name."""
LONGEST_EXACT = 40
"""An exact value with more characters is left out of a line for a person; the enclosure says it shorter."""


@dataclass(frozen=True)
class PaperValue:
    """What the printed statement gives at the same point: its value, its slug, and the ledger's verdict on it."""

    value: str
    slug: str

    @property
    def verdict(self) -> str:
        """The pinned verdict, which `panshuffle verify` checks anew."""
        from panshuffle.proofs.pins import pins

        return pins()[self.slug]["verdict"]

    def as_dict(self) -> dict[str, Json]:
        """The value as JSON."""
        return {"value": self.value, "slug": self.slug, "verdict": self.verdict}


@dataclass(frozen=True, repr=False)
class Answer:
    """What was found, with the question that it answers."""

    question: Question

    @property
    def line(self) -> str:
        """The command line that gives the answer again."""
        return self.question.line

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        raise NotImplementedError

    def certificate(self) -> str:
        """The text that `python -m panshuffle.exact.check` replays.  *Raises* `InputError` where there is none."""
        raise InputError(f"no certificate: {self.question.kind} has none for {self.question.subject}")

    def show(self, as_json: bool, certificate: str | None, output: str | None) -> int:
        """Writes the certificate, if a file is named, prints the answer, and gives the status of the command."""
        if certificate is not None:
            write(certificate, self.certificate())
        print(json.dumps(self.as_dict()) if as_json else self)
        return 0

    def picture(self) -> str:
        """A picture of the answer as SVG, where a picture says more; empty elsewhere, and without matplotlib."""
        return ""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>{self.picture()}"


@dataclass(frozen=True, repr=False)
class NumberAnswer(Answer):
    """A certified number with what it covers and why, and the paper's value beside it.

    `kind` is "exact" where the enclosure shrinks with the digits, and says otherwise where it does not; `ends` are the
    two ends where only they are known.
    """

    quantity: str
    value: Certified
    digits: int
    parameters: Mapping[str, Json]
    scope: str
    kind: str
    why: str
    _: KW_ONLY
    paper: PaperValue | None = None
    ends: tuple[Real, Real] | None = None

    @cached_property
    def numbers(self) -> dict[str, Json]:
        """lower, upper and exact."""
        if self.ends is None:
            return shown(self.value, self.digits)
        low, high = (Certified.of(end).enclosure(self.digits) for end in self.ends)
        return {"lower": low[0], "upper": high[1], "exact": None}

    @property
    def lower(self) -> str:
        """The lower end of the enclosure, a decimal that is rounded down."""
        return str(self.numbers["lower"])

    @property
    def upper(self) -> str:
        """The upper end of the enclosure, a decimal that is rounded up."""
        return str(self.numbers["upper"])

    @property
    def exact(self) -> str | None:
        """The value as a rational p/q or "inf", where it is one; None elsewhere."""
        found = self.numbers["exact"]
        return None if found is None else str(found)

    def short_value(self) -> str:
        """The number for a person."""
        ends = f"[{self.lower}, {self.upper}]"
        exact = self.exact if self.exact is not None and len(self.exact) < LONGEST_EXACT else None
        return f"{exact} = {ends}" if exact not in (None, "inf") else exact or ends

    def head(self) -> dict[str, Json]:
        """What an answer's JSON object begins with."""
        return {"protocol": self.question.subject, "parameters": dict(self.parameters)}

    def named_numbers(self) -> dict[str, Json]:
        """The same with the quantity and its numbers."""
        return {**self.head(), "quantity": self.quantity, **self.numbers}

    def paper_dict(self) -> Json:
        """The paper's value as JSON."""
        return None if self.paper is None else self.paper.as_dict()


Worst: TypeAlias = dict[str, Json]
"""What the others hold in the worst case, and where it is not said, which neighbours these are."""


@dataclass(frozen=True)
class AskedView:
    """A view that is asked about: the parameters to echo, the kind of its answers, its worst case at an e^eps."""

    view: View
    parameters: Mapping[str, Json]
    kind: str
    worst_at: Callable[[Real | None], Worst] = lambda exp_eps: {}


def write(path: str | None, text: str) -> None:
    """Writes a text into a file, or to the standard output."""
    from panshuffle.output import destination

    with destination(path) as stream:
        stream.write(text)


def resolve(question: Question) -> Callable[[], Answer]:
    """The question, checked as far as that takes no time; calling it gives the answer.  *Raises* `InputError`."""
    module = ANSWERED_BY.get(question.kind, f"panshuffle.answers.{question.kind}")
    find: Callable[[], Answer] = import_module(module).resolve(question)
    return find


def answer(question: Question) -> Answer:
    """The answer.  *Raises* `InputError` for what is not allowed, `Undecided` for what no precision decides."""
    return resolve(question)()


def kind_of(view: View) -> str:
    """The kind of answer that a view gives."""
    return UPPER_BOUND if view.upper_bound else TWO_SIDED if view.two_sided else EXACT


def shown(value: Certified, digits: int) -> dict[str, Json]:
    """lower, upper and exact of a certified number."""
    lower, upper = value.enclosure(digits)
    exact = "inf" if value.infinite else None if value.exact is None else fraction_text(value.exact)
    exact = "0" if lower == upper == "0" else exact
    return {"lower": lower, "upper": upper, "exact": exact}


def number_in(question: Question, name: str, is_in: Callable[[Real], bool], allowed: str) -> Real | None:
    """The number of an option, if it was given.  *Raises* `ParameterError` where it is not allowed."""
    text = question.get(name)
    if text is None:
        return None
    value = number(name, text)
    if not is_in(value):
        raise ParameterError(name, text, allowed)
    return value


def exp_eps_of(question: Question) -> Real | None:
    """The e^eps at which to read, if one was given."""
    if question.has("at-eps") and question.has("at-exp-eps"):
        raise InputError("--at-eps and --at-exp-eps say the same thing: give one of them")
    eps = number_in(question, "at-eps", lambda eps: eps >= 0, "a finite number, at least 0")
    if eps is not None:
        return exp(eps)
    return number_in(question, "at-exp-eps", lambda value: value >= 1, "a finite number, at least 1")


def delta_of(question: Question) -> Real | None:
    """The delta at which to read, if one was given."""
    return number_in(question, "at-delta", lambda delta: delta >= 0 and delta <= 1, "between 0 and 1")


def digits_of(question: Question) -> int:
    """The number of digits to certify."""
    text = question.get("digits")
    digits = DEFAULT_DIGITS if text is None else whole("digits", text)
    check_digits(digits)
    return digits


@dataclass(frozen=True)
class Point:
    """Where the curve is read: at an eps (as e^eps) or, without one, at a delta; `words` is how it was said."""

    exp_eps: Real | None
    words: str = ""
    delta: Real = ZERO

    @classmethod
    def of(cls, question: Question) -> Point:
        """The one point that was asked for."""
        exp_eps, delta = exp_eps_of(question), delta_of(question)
        if (exp_eps is None) == (delta is None):
            raise InputError("one point is needed: --at-eps, --at-exp-eps or --at-delta")
        place = question.get("at-delta") or question.get("at-eps") or f"log({question.get('at-exp-eps')})"
        return cls(exp_eps, f"at {'delta' if exp_eps is None else 'eps'} = {place}", delta or ZERO)

    @property
    def quantity(self) -> str:
        """What is asked for."""
        return "eps" if self.exp_eps is None else "delta"

    def read(self, view: View, digits: int) -> Certified:
        """The certified number."""
        if self.exp_eps is not None:
            return view.delta(self.exp_eps)
        return view.epsilon(self.delta, digits)

    def place(self, found: Certified) -> Real | None:
        """The e^eps that the number speaks of: where it was read, or what was found; None for infinity."""
        if self.exp_eps is not None:
            return self.exp_eps
        ball = found.ball(64)
        return exp(Real(dyadic(ball))) if ball.is_finite() else None

    def bound(self, paper: PaperBound | None) -> Real | None:
        """The paper's bound at the same point; None where there is none or its hypotheses fail."""
        if paper is None:
            return None
        try:
            if self.exp_eps is not None:
                return paper.delta(log(self.exp_eps))
            return paper.epsilon(self.delta)
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
