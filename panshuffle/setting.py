"""What is asked of a protocol: its letters, who takes part, and which part of the view."""

from __future__ import annotations

from dataclasses import dataclass

from panshuffle.exact.parameters import honest_users
from panshuffle.exact.real import Real
from panshuffle.question import Letters

ONES = "the number of ones"


@dataclass(frozen=True)
class Part:
    """What of the view is asked for: one pool or both, a direction, a background, a time."""

    pool: bool = False
    pair: bool = False
    direction: str | None = None
    holders: tuple[int, ...] | None = None
    t: int | None = None

    @property
    def background(self) -> tuple[tuple[int, ...], bool]:
        """The other holders, and whether one pool is seen."""
        return self.holders or (), self.pool

    @property
    def ones(self) -> str:
        """What is counted in the pools of this part, in words."""
        return ONES if self.pool else f"{ONES} in the pool that gains, and in the one that loses"


@dataclass(frozen=True)
class Setting:
    """The letters as they were given, the fraction of users who take part, and the part of the view."""

    letters: Letters
    gamma: Real
    part: Part = Part()

    def users(self, n: int) -> int:
        """N = gamma*n, of n users those who take part."""
        return honest_users(n, self.gamma)


@dataclass(frozen=True)
class Seen:
    """Which parts a view has: pools, directions of a shift, a background, times; `symmetric`: directions are equal."""

    pools: bool = False
    shift: bool = False
    symmetric: bool = False
    holders: bool = False
    time: bool = False
