"""What protocols on pools have in common: their coordinates, and mistakes in who takes part and in the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from panshuffle.crosscheck.mass_tables import point
from panshuffle.crosscheck.reference.lost_messages import lossy, mishandled
from panshuffle.crosscheck.reference.model import (
    DATA,
    DROPOUTS,
    LABELS,
    MESSAGES,
    NOISE,
    Arrangement,
    Array,
    Bug,
    Fit,
    Given,
    Laws,
    Reference,
    Setting,
    Slip,
    fixed,
)
from panshuffle.crosscheck.reference.refitted import changing_holders, other_holders
from panshuffle.crosscheck.reference.relabelling import exchanged_labels
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError

NOT_ARRANGED = Arrangement()
MOST_RELABELLED = 64  # pools up to which labels that are exchanged are looked for


@dataclass(frozen=True)
class PoolSetting(Setting):
    """A protocol on pools: so many users, of whom counts[j] hold the pool's element."""

    users: int
    counts: tuple[int, ...]

    def resized(self, size: int) -> Iterator[Bug]:
        """The mistakes by which every pool has so many messages; none that is known."""
        yield from ()

    def holding(self, counts: tuple[int, ...]) -> PoolSetting:
        """The same with other numbers of holders."""
        return replace(self, counts=counts)

    def otherwise(self) -> Iterator[PoolSetting]:
        """The same with other users, where the number of messages does not say how many there are."""
        yield from ()

    def suspicions(self) -> Iterator[Bug]:
        """Mistakes that only the diagnosis tries."""
        yield from ()

    def doubts(self, n: int) -> tuple[Fit, ...]:
        """Families of mistakes that only the diagnosis tries; of n users some may have dropped out."""
        return ()

    def dropout_bugs(self, n: int) -> Iterator[Bug]:
        """Mistakes in who takes part."""
        yield from self.everyone(n)
        for users in (self.users - 1, self.users + 1):
            if users >= 1:
                yield self.but("one user too many or too few sends messages", DROPOUTS, users=users)

    def everyone(self, n: int) -> Iterator[Bug]:
        """All n users send messages: those who left hold nothing, or the first or the last element."""
        first, last = min(1, len(self.counts)), len(self.counts)
        for held in sorted({0, first, last}) if n > self.users else ():
            counts = tuple(c + (n - self.users) * (j == held) for j, c in enumerate(self.counts, start=1))
            words = f"all n users send messages, those who left as if they held {held or 'nothing, or a 0'}"
            yield self.but(f"the dropouts are missing: {words}", DROPOUTS, users=n, counts=counts)

    def label_bugs(self) -> Iterator[Bug]:
        """Labels that are mixed up."""
        for name, counts in shifted_labels(self.counts):
            yield self.but(name, LABELS, counts=counts)

    def count_bugs(self) -> Iterator[Bug]:
        """Mistakes in how bits enter the pools."""
        yield self.but("the bits are inverted", DATA, counts=tuple(self.users - c for c in self.counts))
        yield self.but("the data is left out: all bits are 0", DATA, counts=(0,) * len(self.counts))
        yield from self.label_bugs()


def pool_reference(
    good: Setting,
    k: int,
    bugs: Iterable[Bug],
    output: Callable[[Run], object] | None,
    slips: Iterable[Slip],
    *,
    knobs: tuple[Fit, ...] = (),
    arrangement: Arrangement = NOT_ARRANGED,
    rest: str = NOISE,
    dependent: frozenset[int] = frozenset(),
    zeros: bool = False,
    relabelled: bool = True,
    given: tuple[Given, ...] = (),
    n: int | None = None,
) -> Reference:
    """The reference of a protocol on k pools.

    Its coordinates are (messages, ones) of each pool, or (zeros, ones); `relabelled` adds the mistakes of all labels.
    """
    laws = tuple(good.laws())
    more = (overwritten(laws), zero_based(laws, zeros), *other_k(laws, zeros)) if relabelled else ()
    names = pool_names(k, ("zeros" if zeros else "messages", "ones"))
    read = zeros_and_ones(k) if zeros else sizes_and_ones(k)
    return Reference(
        names,
        laws,
        read,
        (*bugs, *more),
        output,
        tuple(slips),
        arrangement,
        knobs,
        rest,
        dependent,
        given,
        suspects=suspects_of(good, laws, n),
        rows=pool_rows(k, zeros),
        doubts=(*good.doubts(n or good.users), *lossy(laws)) if isinstance(good, PoolSetting) else (),
    )


def pool_rows(k: int, zeros: bool) -> Callable[[Array], Array]:
    """The coordinates of many runs at once, from an array with [zeros, ones] of each pool of each run."""

    def rows(pools: Array) -> Array:
        if pools.shape[1:] != (k, 2):
            raise InputError(f"an array of runs has {2 * k} columns here, zeros and ones of {k} pools")
        found = np.zeros((len(pools), 2 * k + 1), dtype=np.int64)
        found[:, 1::2] = pools[:, :, 0] if zeros else pools.sum(axis=2)
        found[:, 2::2] = pools[:, :, 1]
        return found

    return rows


def other_k(laws: Laws, zeros: bool) -> Iterator[Bug]:
    """Runs that were made with another number of pools; without `zeros` the first coordinate of a pool is its size."""

    def larger() -> Laws:
        return [laws[-2].plus(laws[-1]) if zeros else laws[-2], *laws[1:]]

    yield Bug("the runs were made with another k: there is one pool more", LABELS, larger)
    if len(laws) > 3:
        fewer = (*laws[:-2], point(0), point(0))
        yield fixed("the runs were made with another k: there is one pool less", LABELS, *fewer)


def suspects_of(good: Setting, laws: Laws, n: int | None) -> Callable[[Sequence[Counter[int]]], Iterator[Bug]]:
    """What the runs themselves suggest: labels that are exchanged, and other numbers of messages."""

    def suspects(counts: Sequence[Counter[int]]) -> Iterator[Bug]:
        if len(laws) // 2 <= MOST_RELABELLED:
            yield from exchanged_labels(counts, laws)
        if isinstance(good, PoolSetting):
            yield from good.suspicions()
            yield from mishandled(laws)
            sizes = [next(iter(counter)) for counter in counts[1::2] if len(counter) == 1]
            same = sizes and len(sizes) == len(counts) // 2 and len(set(sizes)) == 1
            resized = list(good.resized(sizes[0])) if same else []
            yield from resized
            others = [bug.setting for bug in resized if isinstance(bug.setting, PoolSetting)]
            tried = [good, *others, *good.otherwise()]
            yield from changing_holders(good, good.users, good.counts, n or good.users, counts)
            yield from other_holders(
                [(one.users, good.counts, one) for one in tried], good.users, n or good.users, counts
            )

    return suspects


def pool_names(k: int, what: Sequence[str] = ("messages", "ones")) -> tuple[str, ...]:
    """The names of the coordinates of k pools, after one for messages elsewhere."""
    return ("messages with a label outside 1..k", *(f"pool {j}: {part}" for j in range(1, k + 1) for part in what))


def ones_coordinates(k: int) -> frozenset[int]:
    """Where the ones of k pools stand among their coordinates: they depend on each other where randomness is public."""
    return frozenset(range(2, 2 * k + 1, 2))


def sizes_and_ones(k: int) -> Callable[[Run], tuple[int, ...]]:
    """(messages, ones) of each pool."""
    read = zeros_and_ones(k)

    def sizes(run: Run) -> tuple[int, ...]:
        outside, *counts = read(run)
        return outside, *(value for i in range(0, 2 * k, 2) for value in (counts[i] + counts[i + 1], counts[i + 1]))

    return sizes


def zeros_and_ones(k: int) -> Callable[[Run], tuple[int, ...]]:
    """(zeros, ones) of each pool, by a function that refuses a run which shows none."""

    def read(run: Run) -> tuple[int, ...]:
        if run.pools is None:
            raise InputError("the run shows neither pools nor messages, one of which is needed here")
        return run.elsewhere(k), *(value for pool in run.pools_up_to(k) for value in pool)

    return read


def shifted_labels(counts: tuple[int, ...]) -> list[tuple[str, tuple[int, ...]]]:
    """The counts of the pools when labels are mixed up."""
    if len(counts) < 2:
        return []
    gone = "the labels are one too {}, and those who hold the {} are in no pool".format
    lost = [(gone("small", "first"), (*counts[1:], 0)), (gone("large", "last"), (0, *counts[:-1]))]
    if len(counts) == 2:
        return [("the labels 1 and 2 are exchanged", counts[::-1]), *lost]
    return [
        ("the labels are one too small", (*counts[1:], counts[0])),
        ("the labels are one too large", (counts[-1], *counts[:-1])),
        ("the labels are in reverse order", counts[::-1]),
        *lost,
    ]


def zero_based(laws: Laws, zeros: bool) -> Bug:
    """Labels 0, ..., k - 1 in place of 1, ..., k; without `zeros` the first coordinate of a pool is its size."""
    first, rest = laws[1:3], laws[3:]

    def shifted() -> Laws:
        return [first[0].plus(first[1]) if zeros else first[0], *rest, point(0), point(0)]

    return Bug("the labels of the pools start at 0", LABELS, shifted)


def overwritten(laws: Laws) -> Bug:
    """The printed randomizer's mistake: the vector of messages is overwritten, and only the last pool keeps any."""
    kept = (*(point(0) for _ in laws[:-2]), *laws[-2:])
    return fixed("the vector of messages is overwritten: only the last pool has messages", MESSAGES, *kept)
