"""What protocols on pools have in common: their coordinates, who takes part, labels, and what becomes of messages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from panshuffle.crosscheck.mass_tables import MassTable, point
from panshuffle.crosscheck.reference.areas import DATA, DROPOUTS, LABELS, MESSAGES
from panshuffle.crosscheck.reference.model import (
    Arrangement,
    Array,
    Bug,
    Fit,
    Laws,
    Reference,
    Setting,
    WrongAnalyzer,
    fixed,
)
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError

NOT_ARRANGED = Arrangement()


@dataclass(frozen=True)
class PoolSetting(Setting):
    """A protocol on pools: so many users, of whom counts[j] hold the pool's element."""

    users: int
    counts: tuple[int, ...]

    @abstractmethod
    def pool(self, count: int) -> tuple[MassTable, MassTable]:
        """The laws of the two coordinates of a pool with that many holders."""

    def laws(self) -> Laws:
        """The coordinates of each pool, after that of messages elsewhere, of which there are none."""
        pools = {count: self.pool(count) for count in set(self.counts)}
        return point(0), *(law for count in self.counts for law in pools[count])

    def users_knob(self) -> Fit:
        """Others who take part."""
        return self.knob("number of users", self.users, "users", 1, 2 * self.users + 2, DROPOUTS, whole=True)

    def dropout_bugs(self, n: int) -> Iterator[Bug]:
        """All n users send messages: those who left hold the last of several elements, or a 0."""
        held = len(self.counts) if len(self.counts) > 1 else 0
        if n > self.users:
            counts = tuple(c + (n - self.users) * (j == held) for j, c in enumerate(self.counts, start=1))
            words = f"all n users send messages, those who left as if they held {held}"
            yield self.mutated(words, DROPOUTS, users=n, counts=counts)

    def label_bugs(self) -> Iterator[Bug]:
        """Labels that are mixed up."""
        for name, counts in shifted_labels(self.counts):
            yield self.mutated(name, LABELS, counts=counts)

    def count_bugs(self) -> Iterator[Bug]:
        """Mistakes in how bits enter the pools."""
        yield self.mutated("the bits are inverted", DATA, counts=tuple(self.users - c for c in self.counts))
        yield self.mutated("the data is left out: all bits are 0", DATA, counts=(0,) * len(self.counts))
        yield from self.label_bugs()


def pool_reference(
    good: Setting,
    k: int,
    bugs: Iterable[Bug],
    output: Callable[[Run], object] | None,
    wrong_analyzers: Iterable[WrongAnalyzer],
    *,
    zeros: bool = False,
    relabelled: bool = True,
    **others: Any,
) -> Reference:
    """The reference of a protocol on k pools; the `others` are further parts of a `Reference`.

    Its coordinates are (messages, ones) of each pool, or (zeros, ones); `relabelled` adds that of one pool only.
    """
    laws = tuple(good.laws())
    more = (overwritten(laws),) if relabelled else ()
    names = pool_names(k, ("zeros" if zeros else "messages", "ones"))
    read = zeros_and_ones(k) if zeros else sizes_and_ones(k)
    parts = {"arrangement": NOT_ARRANGED, **others}
    return Reference(
        names, laws, read, (*bugs, *more), output, tuple(wrong_analyzers), rows=pool_rows(k, zeros), **parts
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
    if len(counts) == 2:
        return [("the labels 1 and 2 are exchanged", counts[::-1])]
    small, large = (*counts[1:], counts[0]), (counts[-1], *counts[:-1])
    return [("the labels are one too small", small), ("the labels are one too large", large)]


def overwritten(laws: Laws) -> Bug:
    """The printed randomizer's mistake: the vector of messages is overwritten, and only the last pool keeps any."""
    kept = (*(point(0) for _ in laws[:-2]), *laws[-2:])
    return fixed("the vector of messages is overwritten: only the last pool has messages", MESSAGES, *kept)
