"""How much work a prover may do: counted, so that its answer is the same on every machine and under every load."""

from __future__ import annotations

from time import monotonic

from panshuffle.symbolic.decision import NoAnswer

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
        panshuffle.symbolic.budget.Exhausted: the budget of 2 units is used up
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
