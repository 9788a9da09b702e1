"""The parts of a reference: coordinates with their laws, likely bugs with theirs, and the expected output."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from panshuffle.crosscheck.mass_tables import MassTable, point
from panshuffle.crosscheck.reference.areas import NOISE
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, real

Laws = Sequence[MassTable]
Array = npt.NDArray[np.int64]

LEAST, MOST = Fraction(1, 1000), Fraction(999, 1000)  # where the probability of a noise bit is looked for
OFF = (-10, -3, -1, 1, 3, 10)  # by how many percent a parameter is supposed to be off
MOST_PLACES = 4096  # places of a run's messages that are looked at, from the first one
MISSING = -(2**62)  # stands for a coordinate that a run does not have: another outcome of public randomness has others
TOLERANCE = 1e-5  # the part of an output that may be off: six digits, as of %g, are right


@dataclass(frozen=True)
class Bug:
    """A likely mistake, its area, and the laws that the coordinates then have; the mistaken setting, if it is one."""

    name: str
    area: str
    laws: Callable[[], Laws]
    setting: Setting | None = None


@dataclass(frozen=True)
class WrongAnalyzer:
    """An analyzer with a likely mistake: the output that it then gives for the pools of a run."""

    name: str
    output: Callable[[Run], object]

    def explains(self, run: Run) -> bool:
        """Whether the mistaken analyzer gives the output of a run."""
        return same(self.output(run), run.output)


Seen = TypeVar("Seen")


def wrong_analyzers_of(
    mistakes: Mapping[str, Callable[[Seen], object]], seen: Callable[[Run], Seen]
) -> tuple[WrongAnalyzer, ...]:
    """The mistakes of an analyzer that sees only a part of a run, by name."""

    def output_of(mistake: Callable[[Seen], object]) -> Callable[[Run], object]:
        return lambda run: mistake(seen(run))

    return tuple(WrongAnalyzer(name, output_of(mistake)) for name, mistake in mistakes.items())


@dataclass(frozen=True)
class Fit:
    """A parameter that may simply have another value, perhaps a `whole` one: what was asked for, where to look."""

    name: str
    asked: Real
    least: Fraction
    most: Fraction
    laws: Callable[[Real], Laws]
    area: str = NOISE
    whole: bool = False

    def sentence(self, value: float) -> str:
        """The value that fits, beside the one that was asked for."""
        asked = float(self.asked)
        times = f" (x{value / asked:.2g})" if asked > 0 and value > 0 else ""
        return f"{self.name} fits {value:.4g}, given {asked:.4g}{times}"

    def near(self) -> Iterator[Near]:
        """The laws for values that are off by 1, 3 and 10 percent, as far as they are allowed, or by the least step."""
        met = {self.asked.fraction}
        for percent in OFF if self.asked.fraction != 0 else ():  # nothing is so many percent of 0
            value = self.asked * real(Fraction(100 + percent, 100))
            if self.whole:
                step = (value + HALF).floor()
                value = real(step if step != self.asked.floor() else step + (1 if percent > 0 else -1))
            if not self.least <= value <= self.most or (value.fraction is not None and value.fraction in met):
                continue
            met.add(value.fraction)
            off = float(value / self.asked - 1) * 100 if self.whole else percent
            try:
                yield Near(self.name, round(off, 1), self.laws(value))
            except InputError:
                continue


@dataclass(frozen=True)
class Near:
    """The laws for a parameter that is off by so many percent."""

    name: str
    percent: float
    laws: Laws


@dataclass(frozen=True)
class Arrangement:
    """What is known of the messages before they are shuffled, user after user.

    `width` is the number of a user's shares in a row, and `odd_blocks` how many users share a 1; `labels` and `bits`
    are those of the message at each place, a bit only where it is likely; `columns` are the bits
    where each user's first message comes before all second ones; `shared` says that bits are sent in random shares.
    """

    width: int | None = None
    odd_blocks: int | None = None
    labels: tuple[int, ...] | None = None
    bits: tuple[int, ...] | None = None
    columns: tuple[int, ...] | None = None
    shared: bool = False


@dataclass(frozen=True)
class Given:
    """A coordinate whose law is known given others of the same run: what it is, and the law for what the others show.

    `value` is None for a run that says nothing of it; `binary` says that it is 0 or 1.
    """

    name: str
    value: Callable[[Sequence[int]], int | None]
    key: Callable[[Sequence[int]], tuple[int, ...]]
    law: Callable[[tuple[int, ...]], MassTable]
    binary: bool = False


@dataclass(frozen=True)
class Reference:
    """What correct runs look like.

    `read` takes the coordinates out of a run; under the protocol their laws are `laws`, and all but those with a number
    in `dependent` are independent of each other; those in `sums` are sums of others, and deviate where pools depend on
    each other; `answer` is the one that the others end in, of which mistakes of the state say nothing. `rest` is the
    area of what nothing known explains, `unseen` what no run of this form shows; `rows` takes the coordinates out of an
    array of pools, run by run [zeros, ones] of each, or of outputs. `hash_agnostic` is what holds for every family of
    public randomness, `conditioned` what holds given its values, which runs may show; `analyzers` are other readings of
    what is put out. Nothing is bet on `bugs` and on `fits`, parameters beside the `knobs`: they only say what runs look
    like.
    """

    names: tuple[str, ...]
    laws: tuple[MassTable, ...]
    read: Callable[[Run], tuple[int, ...]]
    bugs: tuple[Bug, ...] = ()
    output: Callable[[Run], object] | None = None
    wrong_analyzers: tuple[WrongAnalyzer, ...] = ()
    arrangement: Arrangement | None = None
    knobs: tuple[Fit, ...] = ()
    rest: str = NOISE
    dependent: frozenset[int] = frozenset()
    given: tuple[Given, ...] = ()
    sums: frozenset[int] = frozenset()
    answer: int | None = None
    unseen: tuple[str, ...] = ()
    rows: Callable[[Array], Array] | None = None
    hash_agnostic: Reference | None = None
    conditioned: Reference | None = None
    analyzers: Mapping[str, Callable[[Run], object]] = field(default_factory=dict)
    fits: tuple[Fit, ...] = ()

    @cached_property
    def excluded(self) -> frozenset[int]:
        """Coordinates that causes of deviations in the others say nothing of."""
        return self.sums | ({self.answer} if self.answer is not None else frozenset[int]())

    @cached_property
    def near(self) -> tuple[Near, ...]:
        """The laws for parameters that are slightly off."""
        found = (near for knob in self.knobs for near in knob.near())
        return tuple(replace(near, laws=self.with_sums(near.laws)) for near in found)

    def listed_laws(self, bug: Bug) -> Laws:
        """The laws under a bug, or the right laws, which explain nothing, where those can't be listed."""
        try:
            return self.with_sums(bug.laws())
        except InputError:
            return self.laws

    def with_sums(self, laws: Laws) -> Laws:
        """The laws under a bug, which has no say about sums, and the right ones of those."""
        return (*laws, *self.laws[len(laws) :])


@dataclass(frozen=True)
class Setting(ABC):
    """How a protocol is run, rightly or with a mistake."""

    @abstractmethod
    def laws(self) -> Laws:
        """The laws of the coordinates."""

    def knob(
        self,
        name: str,
        asked: Real | int,
        field: str,
        least: Fraction | int,
        most: Fraction | int,
        area: str = NOISE,
        whole: bool = False,
    ) -> Fit:
        """A field that may simply have another value."""

        def laws(value: Real) -> Laws:
            return replace(self, **{field: (value + HALF).floor() if whole else value}).laws()

        return Fit(name, real(asked), Fraction(least), Fraction(most), laws, area, whole)

    def mutated(self, name: str, area: str, **changes: Any) -> Bug:
        """The mistake of running it with these changes."""
        mistaken = replace(self, **changes)
        return Bug(name, area, mistaken.laws, mistaken)


def same(expected: object, output: object, tolerance: float = TOLERANCE) -> bool:
    """Whether an output is the expected one; real numbers may be rounded."""
    if isinstance(expected, (list, tuple)):
        if not isinstance(output, list) or len(output) != len(expected):
            return False
        return all(map(partial(same, tolerance=tolerance), expected, output))
    if (
        not isinstance(expected, (int, float, Fraction, Real))
        or isinstance(output, bool)
        or not isinstance(output, (int, float))
    ):
        return expected == output
    value = float(expected)
    return bool(abs(value - output) <= tolerance * max(1.0, abs(value)))


def fixed(name: str, area: str, *laws: MassTable) -> Bug:
    """A mistake with known laws."""
    return Bug(name, area, lambda: laws)


def pool_laws(pools: Sequence[Sequence[MassTable]]) -> tuple[MassTable, ...]:
    """The laws of the coordinates of pools, after that of messages elsewhere, of which there are none."""
    return point(0), *(law for pool in pools for law in pool)
