"""A family of pairs of laws whose truth is known twice: by a certified curve, and by a second exact method; its cases.

Each module of `crosscheck.court.families` is one: its name is that of its file, and its `BATTERY` is what every
accountant is asked about it.

Every number of a case that is not whole is a double and means exactly that double, so that nobody is blamed for
rounding it: eps = 0.2 is 0.200000000000000011102230246251565404236316680908203125.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import import_module
from math import isfinite
from types import ModuleType
from typing import Any, TypedDict

from flint import arb
from panshuffle.crosscheck.court import families as folder
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.real import Real, exp

MOST_RUNS = 10**6  # the largest k of any family
PRECISION = 256  # bits of a second method: rounding stays far below the smallest delta that is judged
LARGEST = 10**18  # the largest whole number in a case
DELTA, EPSILON = "delta", "epsilon"
SHUFFLE = "shuffle"
"""The group of the families in the shuffle model."""


@dataclass(frozen=True)
class Case:
    """delta at eps = `at`, or eps at delta = `at`, of k independent runs of one mechanism.

    `letters` are the mechanism's parameters, in the order of its family.

    >>> from panshuffle.crosscheck.court.family import family_named
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


@dataclass(frozen=True)
class Bounds:
    """What a method certifies: a lower and an upper end, which may be infinite."""

    lower: arb
    upper: arb

    @classmethod
    def of(cls, ball: arb) -> Bounds:
        """Both ends of an enclosure."""
        return cls(ball.lower(), ball.upper())


@dataclass(frozen=True)
class Problem:
    """A case of the battery, and whether it is among the quick ones, which `--quick` keeps."""

    case: Case
    quick: bool


@dataclass(frozen=True, eq=False)
class Family:
    """A mechanism.  `smallest` gives each letter's least value: whole where the letter is, and else not reached.

    `place` is where it stands in lists, `group` names it with others, `curve` is the certified truth,
    `second(case, exp_eps)` bounds the same delta by other means, `most_runs` is the largest k that is offered, and
    `largest` has letters with a largest value, `below` such with one that is not reached.  The two methods are said in
    words.  `by_hand(case, eps)` is a short program, with nothing but fractions, that prints a lower bound of delta.
    """

    module: str
    place: int
    says: str
    smallest: Mapping[str, int | float]
    curve: Callable[[Case], Curve]
    second: Callable[[Case, Real], Bounds]
    first_method: str
    second_method: str
    most_runs: int = MOST_RUNS
    largest: Mapping[str, float] = field(default_factory=dict)
    below: Mapping[str, float] = field(default_factory=dict)
    check: Callable[[Case], None] = lambda case: None
    group: str = "noise"
    by_hand: Callable[[Case, float], str] | None = None

    @property
    def name(self) -> str:
        """The name of its file, in the spelling of the command line."""
        return self.module.rpartition(".")[2].replace("_", "-")

    def case(self, quantity: str, at: float, k: int = 1, **letters: float) -> Case:
        """A case of this family."""
        return Case(self, tuple(letters.items()), k, quantity, at)

    def problem(self, quantity: str, at: float, k: int = 1, quick: bool = False, **letters: float) -> Problem:
        """A case for the battery."""
        return Problem(self.case(quantity, at, k, **letters), quick)


@cache
def modules() -> dict[str, ModuleType]:
    """The modules of all families, by name, in the order of lists."""
    found = [import_module(f"{folder.__name__}.{module.name}") for module in pkgutil.iter_modules(folder.__path__)]
    return {module.FAMILY.name: module for module in sorted(found, key=lambda module: int(module.FAMILY.place))}


def family_named(name: str) -> Family:
    """The family of this name.  *Raises* `InputError` for an unknown one."""
    if name not in modules():
        raise InputError(f"family = {name} is not known: it must be one of {', '.join(modules())}")
    found: Family = modules()[name].FAMILY
    return found


def case_from_json(found: Mapping[str, Any]) -> Case:
    """The case that `Case.as_json` described."""
    return family_named(found["family"]).case(found["quantity"], found["at"], found["k"], **found["letters"])


def check_case(case: Case) -> None:
    """*Raises* `InputError` unless the letters are those of the family and every number is in range."""
    family, given = case.family, dict(case.letters)
    if list(given) != list(family.smallest):
        raise InputError(f"{family.name} has the letters {', '.join(family.smallest)}, not {', '.join(given)}")
    for letter, least in family.smallest.items():
        value = given[letter]
        if isinstance(least, int) and (not isinstance(value, int) or not least <= value <= LARGEST):
            raise ParameterError(letter, value, f"a whole number from {least} to 10^18")
        if not isfinite(value) or (isinstance(least, float) and not value > least):
            raise ParameterError(letter, value, f"finite and above {least:g}")
    if not isinstance(case.k, int) or not 1 <= case.k <= MOST_RUNS:
        raise ParameterError("k", case.k, "a whole number from 1 to 10^6")
    if case.quantity not in (DELTA, EPSILON):
        raise ParameterError("quantity", case.quantity, f"{DELTA} or {EPSILON}")
    if not (isfinite(case.at) and case.at >= 0 and (case.quantity == DELTA or case.at <= 1)):
        raise ParameterError("at", case.at, "a finite eps, at least 0, or a delta between 0 and 1")
    if case.k > family.most_runs:
        raise InputError(f"k = {case.k} is not allowed: {family.name} is offered for at most {family.most_runs}")
    for letter, most in family.largest.items():
        if case[letter] > most:
            raise ParameterError(letter, case[letter], f"at most {most:g}")
    for letter, most in family.below.items():
        if not case[letter] < most:
            raise ParameterError(letter, case[letter], f"a double strictly between 0 and {Fraction(most)}")
    family.check(case)
