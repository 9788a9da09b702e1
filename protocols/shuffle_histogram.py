"""The shuffle histogram of Balcer and Cheu: P^zsum for every element of [k]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from panshuffle.exact.parameters import check_count, check_element
from panshuffle.exact.real import Real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.model.shuffle import Labelled, LabelledPools, Pools

if TYPE_CHECKING:
    from panshuffle.exact.laws.pool_law import PoolLaw
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class ShuffleHistogram(LabelledPools[list[int]]):
    """n users hold elements of [k] and send two bits to each of k pools."""

    n: int
    k: int
    p: Real

    def __post_init__(self) -> None:
        check_count("k", self.k)
        _ = self.binary_sum

    @cached_property
    def binary_sum(self) -> BinarySum:
        """P^zsum, as the subroutine."""
        return BinarySum(self.n, self.p)

    @property
    def pool_law(self) -> PoolLaw:
        """What a user adds to the ones of a pool."""
        return self.binary_sum.pool_law

    def randomize(self, x: int, coins: Coins) -> list[Labelled]:
        """For each j, the messages of P^zsum for the bit [x = j]."""
        check_element(x, self.k)
        return [(j, bit) for j in range(1, self.k + 1) for bit in self.binary_sum.randomize(int(x == j), coins)]

    def analyze_pools(self, pools: Pools) -> list[int]:
        """The estimated count of each element."""
        return [self.binary_sum.analyze_pools([pool]) for pool in pools]
