"""What a prover says of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NoReturn


class Status(Enum):
    """Proved, refuted or undecided; it has no truth value, so that nothing passes by accident."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"

    def __bool__(self) -> NoReturn:
        raise TypeError("a status has no truth value: compare it with Status.PROVED")


@dataclass(frozen=True)
class Decision:
    """A status, with the witness of a refutation and the tier of the evidence."""

    status: Status
    tier: str
    witness: str | None = None


class NoAnswer(Exception):
    """A prover could not do its work (the machine was too slow, a solver was killed): an error, never an answer."""


class Disagreement(NoAnswer):
    """Two systems contradict each other on the same claim: one of them is wrong."""
