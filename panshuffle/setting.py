"""What is asked of a protocol: its letters, who takes part, and which part of the view."""

from __future__ import annotations

from dataclasses import dataclass

from exact.errors import InputError, ParameterError
from exact.real import Real
from exact.validation import honest_users
from panshuffle.question import Letters, Question, whole

ONES = "the number of ones"


@dataclass(frozen=True)
class Part:
    """What of the view is asked for: one pool or both, a direction, a background, a time."""

    pool: bool = False
    pair: bool = False
    direction: str | None = None
    holders: tuple[int, ...] | None = None
    t: int | None = None

    @classmethod
    def of(cls, question: Question) -> Part:
        """The part that the options say.  *Raises* `InputError` for options that exclude each other."""
        pool, pair = question.has("pool"), question.has("pair")
        if pool and pair:
            raise InputError("--pool and --pair exclude each other")
        t, holders = question.get("t"), question.get("holders")
        counts = None if holders is None else counts_of(holders, 1 if pool else 2)
        return cls(pool, pair, question.get("direction"), counts, None if t is None else whole("t", t, 0))

    @property
    def ones(self) -> str:
        """What is counted in the pools of this part, in words."""
        return ONES if self.pool else f"{ONES} in the pool that gains, and in the one that loses"


def counts_of(text: str, many: int) -> tuple[int, ...]:
    """So many whole numbers with commas between them.  *Raises* `ParameterError` for anything else."""
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts) or len(parts) != many:
        raise ParameterError("holders", text, "C with --pool, and CA,CB otherwise (whole numbers)")
    return tuple(int(part) for part in parts)


@dataclass(frozen=True)
class Setting:
    """The letters as they were given, the fraction of users who take part, and the part of the view."""

    letters: Letters
    gamma: Real
    part: Part = Part()

    def users(self, n: int) -> int:
        """N = gamma*n, the users who take part."""
        return honest_users(n, self.gamma)


@dataclass(frozen=True)
class Seen:
    """Which parts a view has: pools, directions of a shift, a background, times; `symmetric`: directions are equal."""

    pools: bool = False
    shift: bool = False
    symmetric: bool = False
    holders: bool = False
    time: bool = False

    def refusal(self, name: str, part: Part) -> str | None:
        """The sentence on a part that the view of a protocol does not have; None where it has all that is asked for."""
        if (part.pool or part.pair) and not self.pools:
            return f"--{'pool' if part.pool else 'pair'} has no meaning for {name}, whose view has no pools"
        if part.direction and not (self.pools or self.shift):
            return f"--direction has no meaning for {name}"
        if part.direction and self.symmetric:
            return f"--direction has no meaning for {name}: both directions of a pool are the same"
        if part.direction and self.pools and not part.pool:
            return "--direction needs --pool: the pair of pools contains both directions"
        if part.holders is not None and not self.holders:
            return f"--holders has no meaning for {name}"
        if part.t is not None and not self.time:
            return f"--t has no meaning for {name}, which has no internal state"
        return None
