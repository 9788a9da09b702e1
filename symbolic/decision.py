"""What a prover says of a claim, and how much work it may do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from time import monotonic
from typing import NoReturn

# What a prover says of a claim.


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


# How much work a prover may do: counted, so that its answer is the same on every machine and under every load.

GUARD_SECONDS = 1200.0
"""Far more than any budget takes: whoever is here so long is told so, and gets no answer at all."""
LOOK_EVERY = 1000


class Exhausted(Exception):
    """A budget is used up."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(f"the budget of {budget.units} units is used up")
        self.budget = budget


class TooSlow(NoAnswer):
    """The machine was too slow."""

    def __init__(self) -> None:
        super().__init__(f"the machine was too slow: a prover has not ended its work after {GUARD_SECONDS:.0f} seconds")


class Budget:
    """A number of units to spend, which may be a part of a larger budget."""

    def __init__(self, units: int, within: Budget | None = None) -> None:
        self.units = units
        self.used = 0
        self.within = within
        self.guard: float = monotonic() + GUARD_SECONDS if within is None else within.guard
        self.looked = 0

    def spend(self, units: int = 1) -> None:
        """*Raises* `Exhausted` once more than the budget is used, `TooSlow` at the outer guard.

        >>> budget = Budget(2)
        >>> budget.spend(2)
        >>> budget.spend()
        Traceback (most recent call last):
        panshuffle.symbolic.decision.Exhausted: the budget of 2 units is used up
        """
        if self.within is not None:
            self.within.spend(units)
        self.used += units
        if self.used > self.units:
            raise Exhausted(self)
        if self.within is None and self.used - self.looked >= LOOK_EVERY:
            self.looked = self.used
            if monotonic() > self.guard:
                raise TooSlow

    def part(self, units: int) -> Budget:
        """A budget whose units are taken from this one."""
        return Budget(units, self)
