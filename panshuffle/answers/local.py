"""Any locally private randomizer as certificates and attacks see it: what is claimed, and binary response in runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from panshuffle.card import LOCAL
from panshuffle.exact.certificates.witness import Event, Place, Subject, certificate_of_calibration, number_text
from panshuffle.exact.curves.calibration import Calibration
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import InputError
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.randomizers.shuffled_view import local_view
from panshuffle.exact.real import Real, exp, real
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import Json, Params, Question

PARAMS = ("eps0", "n", "gamma")
INPUTS = ("first", "second")
"""The inputs of binary response; its messages have the same names."""
WORD = 64
"""A draw with an irrational probability takes about this many fair bits at the most."""


def users_of(params: Params) -> int:
    """N = gamma*n."""
    n = params.count("n")
    return honest_users(n, params.real("gamma")) if params.has("gamma") else n


def view_of(question: Question) -> View:
    """The view of the N users, from both sides."""
    params = question.params
    return local_view(params.real("eps0"), users_of(params), question.subject == LOCAL)


def subject_of(question: Question) -> Subject:
    """What a certificate speaks of: the worst of all randomizers with this eps0."""
    params = question.params
    params.check_known(PARAMS)
    given = {parameter: params.real(parameter) for parameter in PARAMS if params.has(parameter)}
    return Subject(question.subject, {parameter: number_text(value) for parameter, value in given.items()}, "whole")


def certificate_of_met(
    question: Question, unknown: str, found: Calibration, exp_eps: Real, delta: Real, digits: int
) -> str:
    """The certificate that the value that was found meets the target; that the next one fails is not claimed."""
    value = str(found.value.exact) if found.value.exact is not None else found.value.enclosure(digits)[0]
    asked = Question.of("privacy", question.subject, {**question.params.given, unknown: value})
    place = Place.of(exp_eps, question.get("at-eps"))
    return certificate_of_calibration((subject_of(asked), None), None, found, delta, place, digits)


@dataclass(frozen=True)
class Stage:
    """Two neighbours of binary response, and the number of users who say the first input in a run."""

    eps0: Real
    held: tuple[int, int]

    @classmethod
    def of(cls, params: Params, event: Event) -> Stage:
        """The stage of an event.  *Raises* `InputError` for an event without a background."""
        if event.holders is None or len(event.holders) != len(INPUTS):
            raise InputError("no event: the background of binary response is not known")
        first, second = event.holders
        return cls(params.real("eps0"), (first, second))

    @property
    def neighbours(self) -> tuple[Sequence[int], Sequence[int]]:
        """How many hold each input, the changed user included."""
        first, second = self.held
        return (first + 1, second), (first, second + 1)

    @property
    def draws(self) -> int:
        """About what a run takes: the changed user's, and of many equal coins the number of ones, digit by digit."""
        return (1 + sum(count.bit_length() for count in self.held)) * WORD

    def outcome(self, data: Sequence[int], coins: Coins) -> list[int]:
        """One run: how many say the first input."""
        right = 1 / (1 + exp(-self.eps0))
        return [coins.binomial(data[0], right) + coins.binomial(data[1], real(1) - right)]

    def words(self) -> dict[str, Json]:
        """The two neighbours for a person."""
        parts = [f"{count} hold {name}" for name, count in zip(INPUTS, self.held, strict=True) if count]
        others = f"; of the others {', '.join(parts)}" if parts else ""
        return {law: f"one user holds {name}{others}" for law, name in zip(("P", "Q"), INPUTS, strict=True)}
