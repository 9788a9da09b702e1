"""A family of pairs of laws whose truth is known twice: by a certified curve, and by a second exact method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from flint import arb

from crosscheck.court.question import Question, check_form
from exact.curves.curve import Curve
from exact.errors import InputError
from exact.numbers.real import Real


@dataclass(frozen=True)
class Bounds:
    """What a method certifies: a lower end and, where it has one, an upper end."""

    lower: arb
    upper: arb | None

    @classmethod
    def of(cls, ball: arb) -> Bounds:
        """Both ends of an enclosure."""
        return cls(ball.lower(), ball.upper())


@dataclass(frozen=True)
class Family:
    """A mechanism.  `smallest` gives each letter's least value: whole where the letter is, and else not reached.

    `curve` is the certified truth, `second(question, exp_eps)` bounds the same delta by other means, `most_runs` is
    the largest k that is offered.  The two methods are said in words.
    """

    name: str
    says: str
    smallest: Mapping[str, int | float]
    curve: Callable[[Question], Curve]
    second: Callable[[Question, Real], Bounds]
    first_method: str
    second_method: str
    most_runs: int = 10**6
    check: Callable[[Question], None] = lambda question: None


FAMILIES = {
    "binomial": "binomial",
    "poisson-pool": "poisson",
    "poisson-pair": "poisson",
    "parity-pool": "parity",
    "randomized-response": "two_point",
    "geometric": "two_point",
    "gaussian": "gaussian",
    "discrete-gaussian": "discrete_gaussian",
}


def family_of(question: Question) -> Family:
    """The family of a question.  *Raises* `InputError` for an unknown one, or letters that it does not have."""
    if question.family not in FAMILIES:
        raise InputError(f"family = {question.family} is not known: it must be one of {', '.join(FAMILIES)}")
    module = import_module(f"crosscheck.court.families.{FAMILIES[question.family]}")
    family: Family = module.FOUND[question.family]
    check_form(question, family.smallest)
    if question.k > family.most_runs:
        raise InputError(f"k = {question.k} is not allowed: {family.name} is offered for at most {family.most_runs}")
    family.check(question)
    return family
