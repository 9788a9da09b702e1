"""One question to an accountant: which pair of laws, how often it is run, and where its curve is read.

Every number that is not whole is a double and means exactly that double, so that nobody is blamed for rounding the
question: eps = 0.2 is 0.200000000000000011102230246251565404236316680908203125.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from exact.errors import InputError, ParameterError
from exact.numbers.real import Real, exp

DELTA, EPSILON = "delta", "epsilon"
LARGEST = 10**18


@dataclass(frozen=True)
class Question:
    """delta at eps = `at`, or eps at delta = `at`, of k independent runs of one mechanism.

    `letters` are the mechanism's parameters, in the order of its family.

    >>> print(Question("binomial", (("l", 20),), 1, "delta", 0.5))
    binomial, l = 20: delta at eps = 0.5
    """

    family: str
    letters: tuple[tuple[str, float], ...]
    k: int
    quantity: str
    at: float

    def __getitem__(self, letter: str) -> Any:
        """The value of a letter: a whole number or a double."""
        return dict(self.letters)[letter]

    def exact(self, letter: str) -> Real:
        """The value of a letter, as the exact number that it is."""
        return Real(Fraction(self[letter]))

    @property
    def name(self) -> str:
        """A name that is unique among questions and has no spaces."""
        parts = [f"{letter}={value:g}" for letter, value in self.letters]
        runs = [f"k={self.k}"] if self.k > 1 else []
        return ":".join([self.family, *parts, *runs, f"{self.quantity}@{self.at:g}"])

    def __str__(self) -> str:
        letters = ", ".join(f"{letter} = {value!r}" for letter, value in self.letters)
        runs = f", {self.k} times" if self.k > 1 else ""
        place = "eps" if self.quantity == DELTA else "delta"
        return f"{self.family}, {letters}{runs}: {self.quantity} at {place} = {self.at!r}"

    def as_json(self) -> dict[str, Any]:
        """The question as JSON; doubles survive it unchanged."""
        return {
            "family": self.family,
            "letters": dict(self.letters),
            "k": self.k,
            "quantity": self.quantity,
            "at": self.at,
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Question:
        """The question that `as_json` described."""
        return cls(found["family"], tuple(found["letters"].items()), found["k"], found["quantity"], found["at"])


def exp_of(eps: float) -> Real:
    """e^eps of a double, exactly."""
    return exp(Real(Fraction(eps)))


def check_form(question: Question, smallest: Mapping[str, int | float]) -> None:
    """*Raises* `InputError` unless the letters are those of the family and every number is in range."""
    given = dict(question.letters)
    if list(given) != list(smallest):
        raise InputError(f"{question.family} has the letters {', '.join(smallest)}, not {', '.join(given)}")
    for letter, least in smallest.items():
        value = given[letter]
        if isinstance(least, int) and (not isinstance(value, int) or not least <= value <= LARGEST):
            raise ParameterError(letter, value, f"a whole number from {least} to 10^18")
        if not isfinite(value) or (isinstance(least, float) and not value > least):
            raise ParameterError(letter, value, f"finite and above {least:g}")
    if not isinstance(question.k, int) or not 1 <= question.k <= 10**6:
        raise ParameterError("k", question.k, "a whole number from 1 to 10^6")
    if question.quantity not in (DELTA, EPSILON):
        raise ParameterError("quantity", question.quantity, f"{DELTA} or {EPSILON}")
    if not (isfinite(question.at) and question.at >= 0 and (question.quantity == DELTA or question.at <= 1)):
        raise ParameterError("at", question.at, "a finite eps, at least 0, or a delta between 0 and 1")
