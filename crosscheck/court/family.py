"""A family of pairs of laws whose truth is known twice: by a certified curve, and by a second exact method.

Each module of `crosscheck.court.families` is one: its name is that of its file, and its `BATTERY` is what every
accountant is asked about it.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import isfinite
from types import ModuleType
from typing import Any

from flint import arb

from crosscheck.court import families as folder
from crosscheck.court.case import DELTA, EPSILON, Case
from exact.curves.curve import Curve
from exact.errors import InputError, ParameterError
from exact.numbers.real import Real

MOST_RUNS = 10**6
LARGEST = 10**18
"""The largest whole number in a case: it and its square are far from what a double or a shift could overflow."""


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
class Problem:
    """A case of the battery, and whether it is among the quick ones, which `--quick` keeps."""

    case: Case
    quick: bool


@dataclass(frozen=True, eq=False)
class Family:
    """A mechanism.  `smallest` gives each letter's least value: whole where the letter is, and else not reached.

    `place` is where it stands in lists, `curve` is the certified truth, `second(case, exp_eps)` bounds the same delta
    by other means, `most_runs` is the largest k that is offered.  The two methods are said in words.
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
    check: Callable[[Case], None] = lambda case: None

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
    family.check(case)
