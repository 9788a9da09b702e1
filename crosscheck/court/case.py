"""A case that is put to an accountant, and its reply: which pair of laws, how often it is run, where its curve is read.

Every number that is not whole is a double and means exactly that double, so that nobody is blamed for rounding the
case: eps = 0.2 is 0.200000000000000011102230246251565404236316680908203125.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypedDict

from exact.numbers.real import Real, exp

if TYPE_CHECKING:
    from crosscheck.court.family import Family

DELTA, EPSILON = "delta", "epsilon"


@dataclass(frozen=True)
class Case:
    """delta at eps = `at`, or eps at delta = `at`, of k independent runs of one mechanism.

    `letters` are the mechanism's parameters, in the order of its family.

    >>> from crosscheck.court.family import family_named
    >>> print(family_named("gaussian").case(DELTA, 0.5, sigma=2.0))
    gaussian, sigma = 2.0: delta at eps = 0.5
    """

    family: Family
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
        """A name that is unique among cases and has no spaces."""
        parts = [f"{letter}={value:g}" for letter, value in self.letters]
        runs = [f"k={self.k}"] if self.k > 1 else []
        return ":".join([self.family.name, *parts, *runs, f"{self.quantity}@{self.at:g}"])

    def __str__(self) -> str:
        letters = ", ".join(f"{letter} = {value!r}" for letter, value in self.letters)
        runs = f", {self.k} times" if self.k > 1 else ""
        place = "eps" if self.quantity == DELTA else "delta"
        return f"{self.family.name}, {letters}{runs}: {self.quantity} at {place} = {self.at!r}"

    def as_json(self) -> dict[str, object]:
        """The case as JSON; doubles survive it unchanged."""
        return {
            "family": self.family.name,
            "letters": dict(self.letters),
            "k": self.k,
            "quantity": self.quantity,
            "at": self.at,
        }


class Reply(TypedDict, total=False):
    """What came of a case: claims by side, as texts, or a verdict and what was said; at first only `ready`."""

    claims: dict[str, str]
    verdict: str
    said: str
    seconds: float
    ready: bool


def exp_of(eps: float) -> Real:
    """e^eps of a double, exactly."""
    return exp(Real(Fraction(eps)))
