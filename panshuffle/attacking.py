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


def read(reading: str, line: Line, others: Sequence[Datum], pool: bool) -> list[int]:
    """What an event reads of a run, given the other users' rows and whether it is about one pool.

    "output" and "state" are numbers, where the other users hold nothing that counts; "ones" are those of the pools
    that the change touches, or the counters of a state; "ones and zeros" are ones and zeros of the pool that gains,
    zeros and ones of the one that loses.  What is "less" leaves out what the others put there.
    """
    if reading in ("output", "state"):
        return [line[reading]]
    if reading == "output less distinct":
        return [line["output"] - len(set(others))]
    everything = line["state"] if reading == "counts less others" else [ones for _, ones in line["pools"].values()]
    counts: list[int] = everything[: 1 if pool else 2]
    if reading == "ones":
        return counts
    mine = [count - others.count(j) for j, count in enumerate(counts, start=1)]
    if reading != "ones and zeros":
        return mine
    pools = enumerate(line["pools"].values(), start=1)
    rest = [zeros - (len(others) - others.count(j)) for j, (zeros, _) in pools]
    return [mine[0], rest[0]] if pool else [mine[0], rest[0], rest[1], mine[1]]
