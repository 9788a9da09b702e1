"""Who plays the two neighbours of an attack, and what an event reads of one run, less what the others put there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from panshuffle.dataset import Datum, Universe
from panshuffle.running import Line, Runner


@dataclass(frozen=True)
class Play:
    """Who runs the data, what it is called, the changed user's in either dataset, and that of the others.

    `elsewhere` is what more a person has to know about the others.
    """

    runner: Runner
    what: str
    changed: tuple[Datum, Datum]
    others: list[Datum]
    elsewhere: str = ""

    @classmethod
    def of(cls, runner: Runner, universe: Universe, rows: int, holders: Sequence[int], what: str = "") -> Play:
        """The first two values of a universe, that many others who hold them, and the rest who hold the last one."""
        return cls(runner, what or universe.kind, universe.changed, universe.others(holders, rows - 1))


def pools_of(line: Line) -> list[list[int]]:
    """The pools of a run."""
    return list(line["pools"].values())


def ones(line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """The ones in the pools that the change touches, one or two."""
    return [pool[1] for pool in pools_of(line)[: 1 if pool else 2]]


def ones_less_others(line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """The same without the other users' data."""
    return [count - others.count(j) for j, count in enumerate(ones(line, others, pool), start=1)]


def counts_less_others(line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """The counters of a state that the change touches, without the other users' data."""
    return [count - others.count(j) for j, count in enumerate(line["state"][: 1 if pool else 2], start=1)]


def ones_and_zeros(line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """Ones and zeros of the pool that gains, zeros and ones of the one that loses, without the other users' data."""
    mine = ones_less_others(line, others, pool)
    rest = [zeros - (len(others) - others.count(j)) for j, (zeros, _) in enumerate(pools_of(line), start=1)]
    return [mine[0], rest[0]] if pool else [mine[0], rest[0], rest[1], mine[1]]


def output(line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """The number that is released, where the other users hold nothing that counts."""
    return [line["output"]]


def output_less_distinct(line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """The number that is released, without the distinct elements of the other users."""
    return [line["output"] - len(set(others))]


def state(line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """The state, a number, where the other elements count nothing."""
    return [line["state"]]


READINGS = {
    reading.__name__: reading
    for reading in (ones, ones_less_others, counts_less_others, ones_and_zeros, output, output_less_distinct, state)
}
"""What an event may read of a run, given the other users' rows and whether it is about one pool."""
