"""The certified delta at an eps, or eps at a delta."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from panshuffle.answer import Json, NumberAnswer, Point, digits_of, kind_of
from panshuffle.card import OWN, card, names_with, refuse_file, selection_of, viewed
from panshuffle.exact.curves.curve import EXACT, TWO_SIDED
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import honest_users
from panshuffle.question import Question, ViewSelection, whole

EXACT_LAWS = "By the exact laws of both inputs."
LEADING_TERM = "By the first term of the difference of both laws, and a bound of all others."


@dataclass(frozen=True, kw_only=True, repr=False)
class PrivacyAnswer(NumberAnswer):
    """A point of a privacy curve.  `times` says how many times the answer the paper's bound is."""

    point: Point
    background: tuple[int, ...] | None
    times: str | None

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        found = {**self.named_numbers(), "scope": self.scope, "kind": self.kind}
        background: Json = None if self.background is None else list(self.background)
        return {**found, "background": background, "paper": self.paper_dict()}

    def __str__(self) -> str:
        worst = f", worst background {self.background}" if self.background else ""
        paper = "paper: no bound at this point"
        if self.paper is not None:
            paper = f"paper: {self.paper.value}" + (f", {self.times} times as much" if self.times else "")
        covers = f"covers {self.scope} ({self.kind}){worst}"
        return f"{self.quantity} {self.point.words}: {self.short_value()}\n{covers}\n{paper}\nwhy: {self.why}"

    def certificate(self) -> str:
        """The certificate of the point."""
        from panshuffle.answers.certificate import certificate_of_point

        return certificate_of_point(self.question, self.point, self.value, self.digits)

    def picture(self) -> str:
        """The curve around the point."""
        from panshuffle.answers import answer
        from panshuffle.answers.curve import around

        return answer(around(self.question)).picture()


def resolve(question: Question) -> Callable[[], NumberAnswer]:
    """The question, checked."""
    if (question.has("uses") or question.has("sampled")) and question.subject != "pmf":
        from panshuffle.answers.compose import echoed, resolved

        return resolved(question, [question], echoed(question))
    if question.subject in OWN:
        from panshuffle.answers.from_file import own_of, resolve_own

        return resolve_own(question, own_of)
    refuse_file(question)
    if question.has("tv") or question.has("ones"):
        return resolve_distance(question)
    card(question.subject)
    point, digits = Point.of(question), digits_of(question)
    protocol = viewed(question, selection_of(question))
    view = protocol.view

    def find() -> PrivacyAnswer:
        value = point.read(view, digits)
        about = (question, point.quantity, value, digits, protocol.parameters, view.scope, kind_of(view), view.why)
        background, times = view.background_at(point.place(value)), point.times(view.paper, value)
        return PrivacyAnswer(*about, paper=point.printed(view.paper), point=point, background=background, times=times)

    return find


@dataclass(frozen=True, kw_only=True, repr=False)
class DistanceAnswer(NumberAnswer):
    """A total variation distance from an ideal protocol, on an input with the given number of ones."""

    ones: int

    def as_dict(self) -> dict[str, Json]:
        """The answer as one JSON object."""
        return {**self.named_numbers(), "scope": self.scope, "background": [self.ones], "paper": None}

    def certificate(self) -> str:
        """*Raises* `InputError`: the checker has no such claim."""
        raise InputError("--certificate has no meaning for --tv")

    def __str__(self) -> str:
        exact = "" if self.exact is None else f"{self.exact} = "
        return f"total variation with {self.ones} ones: {exact}[{self.lower}, {self.upper}]"


def resolve_distance(question: Question) -> Callable[[], NumberAnswer]:
    """The question about a total variation, checked."""
    found = card(question.subject)
    if found.distance is None or not question.has("tv"):
        who = names_with(lambda one: one.distance)
        raise InputError(f"--tv and --ones have a meaning for {who} --tv only")
    if any(question.has(name) for name in ("at-eps", "at-exp-eps", "at-delta")):
        raise InputError("--tv and a point of the curve exclude each other")
    setting, text = found.setting(question.params, ViewSelection()), question.get("ones")
    record, distance = found.record_of(question.params), found.distance
    users, digits = honest_users(found.runner(record).rows, setting.gamma), digits_of(question)
    ones = None if text is None else whole("ones", text, 0)
    if ones is not None and ones > users:
        raise ParameterError("ones", ones, f"a whole number from 0 to {users}")

    def find() -> DistanceAnswer:
        value, where = distance(record, users, ones)
        scope = "all inputs" if ones is None else "this pair"
        kind, why = (EXACT, EXACT_LAWS) if value.exact is not None else (TWO_SIDED, LEADING_TERM)
        return DistanceAnswer(question, "tv", value, digits, question.params.given, scope, kind, why, ones=where)

    return find
