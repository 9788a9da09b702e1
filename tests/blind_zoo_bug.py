"""What a planted bug is, and the ways to plant one: a number or a step replaced, or whole runs handed on wrongly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from tests.blind_zoo_draws import divergence, entropy, impossible
from tests.blind_zoo_online import machine

Make = Callable[[Random, int], Iterable[dict]]
NOISE, ENCODING, ORDER = "the noise", "the encoding", "the order"
BETWEEN, POOLS, DROPOUTS = "the randomness between runs", "independence between pools", "dropouts"
PARAMETERS, OUTPUT, STATE, HASH = "the parameters", "the output", "the state", "the hash or partition"
AREAS = (NOISE, ENCODING, ORDER, BETWEEN, POOLS, DROPOUTS, PARAMETERS, OUTPUT, STATE, HASH)
CERTAIN = math.inf
"""The evidence where a run that the right implementation can't make is planted, or about five or more are expected."""


AGREE = 1e-12
"""Laws whose divergence is below this agree: doubles add up to no better."""


@dataclass(frozen=True)
class Bug:
    """A wrong implementation; `evidence` is the expected log-likelihood ratio against the right law in all runs.

    It counts what the bug changes in the pools, the state or a central output; the order of messages and what else
    depends on it can only add to it.
    """

    name: str
    scene: str
    make: Make
    area: str
    cause: str
    runs: int
    evidence: float | None


def bug(name: str, scene: str, area: str, cause: str, runs: int, evidence: float | None = None, **changes) -> Bug:
    """A bug that replaces numbers or steps of the machine; where only numbers change, its evidence is computed."""
    wrong = machine(scene, **changes)
    if evidence is None and not any(map(callable, changes.values())):
        evidence = evidence_of(wrong.coordinates(), machine(scene).coordinates(), runs)
    return Bug(name, scene, wrong.runs, area, cause, runs, evidence)


def evidence_of(wrong, right, runs):
    """runs * KL of the quantities whose laws are known, or None where none is or they agree."""
    if wrong is None or right is None:
        return None
    pairs = list(zip(wrong, right, strict=False))
    if len(wrong) != len(right) or runs * sum(impossible(*pair) for pair in pairs) > 5:
        return CERTAIN
    total = sum(divergence(*pair) for pair in pairs)
    return runs * total if total > AGREE else None


def copied(scene: str, copies: float) -> float | None:
    """The evidence of so many runs that are copies: the entropy of what they show (the order of messages left out)."""
    laws = machine(scene).coordinates()
    return None if laws is None else copies * sum(map(entropy, laws))


def passed_on(name: str, scene: str, area: str, cause: str, runs: int, handle, evidence=None, **changes) -> Bug:
    """A bug in what is done with the runs: `handle` gets the machine's runs, the generator and their number."""
    wrong = machine(scene, **changes)

    def make(rng: Random, count: int) -> Iterator[dict]:
        return iter(handle(wrong.runs(rng, count), rng, count))

    return Bug(name, scene, make, area, cause, runs, evidence)


def drawn_from(name: str, scene: str, area: str, cause: str, runs: int, source, evidence=None, **changes) -> Bug:
    """A bug in the generator: `source` makes it from the good one."""
    wrong = machine(scene, **changes)

    def make(rng: Random, count: int) -> Iterator[dict]:
        return wrong.runs(source(rng), count)

    return Bug(name, scene, make, area, cause, runs, evidence)


def run_by_run(name: str, scene: str, area: str, cause: str, runs: int, one, evidence=None, **changes) -> Bug:
    """A bug in how runs are made one after another: `one(machine, rng, i)` is run i."""

    def make(rng: Random, count: int) -> Iterator[dict]:
        wrong = machine(scene, **changes)
        return (one(wrong, rng, i) for i in range(count))

    return Bug(name, scene, make, area, cause, runs, evidence)
