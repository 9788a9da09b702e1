"""The parts of a reference: coordinates with their laws, likely bugs with theirs, and the expected output."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar

from crosscheck.mass_tables import MassTable
from crosscheck.runs import Run
from exact.errors import InputError
from exact.numbers.real import Real

NOISE = "the noise"
DATA = "how the data enters"
MESSAGES = "the number of messages"
DROPOUTS = "the users who take part"
LABELS = "the labels of the pools"
STATE = "the state and its dummies"
POOLS = "independence between pools"
RUNS = "independence between runs"
ORDER = "the order of the messages"
ANALYZER = "the analyzer"

Laws = Sequence[MassTable]

LEAST, MOST = Fraction(1, 1000), Fraction(999, 1000)
"""Where the probability of a noise bit is looked for."""
TOLERANCE = 1e-9  # the part of an output that somebody's arithmetic in doubles may be off by


@dataclass(frozen=True)
class Bug:
    """A likely mistake, its area, and the laws that the coordinates then have; the mistaken setting, if it is one."""

    name: str
    area: str
    laws: Callable[[], Laws]
    setting: Setting | None = None


@dataclass(frozen=True)
class Slip:
    """A likely mistake of an analyzer: the output that it then gives for the pools of a run."""

    name: str
    output: Callable[[Run], object]

    def explains(self, run: Run) -> bool:
        """Whether the mistaken analyzer gives the output of a run."""
        return same(self.output(run), run.output)


Seen = TypeVar("Seen")


def slips_of(mistakes: Mapping[str, Callable[[Seen], object]], seen: Callable[[Run], Seen]) -> tuple[Slip, ...]:
    """The mistakes of an analyzer that sees only a part of a run, by name."""
    return tuple(Slip(name, partial(output_of, mistake, seen)) for name, mistake in mistakes.items())


def output_of(mistake: Callable[[Seen], object], seen: Callable[[Run], Seen], run: Run) -> object:
    """What a mistaken analyzer puts out."""
    return mistake(seen(run))


@dataclass(frozen=True)
class Fit:
    """A parameter of the noise that may simply have another value: its name, what was asked for, where to look."""

    name: str
    asked: Real
    least: Fraction
    most: Fraction
    laws: Callable[[Real], Laws]


@dataclass(frozen=True)
class Reference:
    """What correct runs look like.

    `read` takes the coordinates out of a run; under the protocol their laws are `laws`, and all but those with a number
    in `dependent` are independent of each other.  `rest` is the area of what nothing known explains.
    """

    names: tuple[str, ...]
    laws: tuple[MassTable, ...]
    read: Callable[[Run], tuple[int, ...]]
    bugs: tuple[Bug, ...] = ()
    output: Callable[[Run], object] | None = None
    slips: tuple[Slip, ...] = ()
    width: int | None = None
    fit: Fit | None = None
    rest: str = NOISE
    dependent: frozenset[int] = frozenset()

    @cached_property
    def bug_laws(self) -> tuple[Laws, ...]:
        """The laws under each of the bugs; those of a bug with too many outcomes to be listed are the right ones."""
        return tuple(self.listed_laws(bug) for bug in self.bugs)

    def listed_laws(self, bug: Bug) -> Laws:
        """The laws under a bug, or the right laws, which are no evidence, where those can't be listed."""
        try:
            return bug.laws()
        except InputError:
            return self.laws


@dataclass(frozen=True)
class Setting(ABC):
    """How a protocol is run, rightly or with a mistake."""

    @abstractmethod
    def laws(self) -> Laws:
        """The laws of the coordinates."""

    def but(self, name: str, area: str, **changes: Any) -> Bug:
        """The mistake of running it with these changes."""
        mistaken = replace(self, **changes)
        return Bug(name, area, mistaken.laws, mistaken)


def same(expected: object, output: object) -> bool:
    """Whether an output is the expected one; real numbers may be rounded to doubles."""
    if isinstance(expected, (list, tuple)):
        return isinstance(output, list) and len(output) == len(expected) and all(map(same, expected, output))
    if (
        not isinstance(expected, (int, float, Fraction, Real))
        or isinstance(output, bool)
        or not isinstance(output, (int, float))
    ):
        return expected == output
    value = float(expected)
    return bool(abs(value - output) <= TOLERANCE * max(1.0, abs(value)))


def fixed(name: str, area: str, *laws: MassTable) -> Bug:
    """A mistake with known laws."""
    return Bug(name, area, lambda: laws)
