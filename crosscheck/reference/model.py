"""The parts of a reference: coordinates with their laws, likely bugs with theirs, and the expected output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from crosscheck.runs import Run
from crosscheck.tables import Table, point
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

Laws = Sequence[Table]

LEAST, MOST = Fraction(1, 1000), Fraction(999, 1000)
"""Where the probability of a noise bit is looked for."""


@dataclass(frozen=True)
class Bug:
    """A likely mistake, its area, and the laws that the coordinates then have."""

    name: str
    area: str
    laws: Callable[[], Laws]


@dataclass(frozen=True)
class Slip:
    """A likely mistake of an analyzer: the output that it then gives for the pools of a run."""

    name: str
    output: Callable[[Run], Any]


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

    `read` takes the coordinates out of a run; under the protocol their laws are `laws`, and those whose entry in
    `groups` is the same and not None are independent of each other.  `rest` is the area of what nothing known explains.
    """

    names: tuple[str, ...]
    laws: tuple[Table, ...]
    read: Callable[[Run], tuple[int, ...]]
    groups: tuple[int | None, ...]
    bugs: tuple[Bug, ...] = ()
    output: Callable[[Run], Any] | None = None
    slips: tuple[Slip, ...] = ()
    width: int | None = None
    fit: Fit | None = None
    rest: str = NOISE

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


def pool_names(k: int, what: Sequence[str]) -> tuple[str, ...]:
    """The names of the coordinates of k pools, after one for messages elsewhere."""
    return ("messages with a label outside 1..k", *(f"pool {j}: {part}" for j in range(1, k + 1) for part in what))


def sizes_and_ones(k: int) -> Callable[[Run], tuple[int, ...]]:
    """(messages, ones) of each pool."""

    def read(run: Run) -> tuple[int, ...]:
        pools = [run.shown_pool(j) for j in range(1, k + 1)]
        return run.elsewhere(k), *(value for zeros, ones in pools for value in (zeros + ones, ones))

    return read


def zeros_and_ones(k: int) -> Callable[[Run], tuple[int, ...]]:
    """(zeros, ones) of each pool."""

    def read(run: Run) -> tuple[int, ...]:
        return run.elsewhere(k), *(value for j in range(1, k + 1) for value in run.shown_pool(j))

    return read


def pool_laws(pools: Sequence[Sequence[Table]]) -> tuple[Table, ...]:
    """The laws of the coordinates of pools, after that of messages elsewhere, of which there are none."""
    return point(0), *(law for pool in pools for law in pool)


def shifted_labels(counts: Sequence[int]) -> list[tuple[str, list[int]]]:
    """The counts of the pools when labels are mixed up."""
    values = list(counts)
    if len(values) < 2:
        return []
    return [
        ("the labels are one too small", [*values[1:], values[0]]),
        ("the labels are one too large", [values[-1], *values[:-1]]),
        ("the labels are in reverse order", values[::-1]),
    ]


def zero_based(laws: Laws, sizes: bool) -> Bug:
    """Labels 0, ..., k - 1 in place of 1, ..., k; `sizes` where the first coordinate of a pool is its size."""
    first, rest = laws[1:3], laws[3:]

    def shifted() -> Laws:
        return [first[0] if sizes else first[0].plus(first[1]), *rest, point(0), point(0)]

    return Bug("the labels of the pools start at 0", LABELS, shifted)


def overwritten(laws: Laws, width: int = 2) -> Bug:
    """The printed randomizer's mistake: the vector of messages is overwritten, and only the last pool keeps any."""
    kept = [law if i >= len(laws) - width else point(0) for i, law in enumerate(laws)]
    return Bug("the vector of messages is overwritten: only the last pool has messages", MESSAGES, lambda: kept)
