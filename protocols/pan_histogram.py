"""The pan-private histogram: Q_ZSUM for every element of [k]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from panshuffle.exact.parameters import check_count, check_element
from panshuffle.protocols.pan_sum import PanSum

if TYPE_CHECKING:
    from panshuffle.exact.laws.pool_law import PoolLaw
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class PanHistogram:
    """A stream of n elements of [k]; the state is k noisy counts."""

    n: int
    k: int
    lam: int

    def __post_init__(self) -> None:
        check_count("k", self.k)
        _ = self.pan_sum

    @cached_property
    def pan_sum(self) -> PanSum:
        """Q_ZSUM, as the subroutine."""
        return PanSum(self.n, self.lam)

    @property
    def pool_law(self) -> PoolLaw:
        """What an element adds to a count, and the noise."""
        return self.pan_sum.pool_law

    @property
    def length(self) -> int:
        """The number of elements of the stream."""
        return self.n

    def initial(self, coins: Coins) -> list[int]:
        """k independent initial counters."""
        return [self.pan_sum.initial(coins) for _ in range(self.k)]

    def update(self, state: list[int], x: int, coins: Coins) -> list[int]:
        """The counters after each has seen the bit [x = j]."""
        check_element(x, self.k)
        return [self.pan_sum.update(count, int(x == j), coins) for j, count in enumerate(state, start=1)]

    def output(self, state: list[int], coins: Coins) -> list[int]:
        """The noisy counts."""
        return [self.pan_sum.output(count, coins) for count in state]
