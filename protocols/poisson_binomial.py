"""The Poisson-binomial sum: every user sends m copies of a bit, each flipped with probability p, shuffled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from panshuffle.exact.laws.pool_law import PoolLaw, flipped_bits
from panshuffle.exact.parameters import check_bit, check_count
from panshuffle.exact.real import Real
from panshuffle.exact.views.flipped_bits import check_flip
from panshuffle.protocols.model.shuffle import OnePool, Pools

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class PoissonBinomial(OnePool[Real]):
    """n users; the ones of x are Bin(m, 1/2 + theta(2x - 1)), theta = 1/2 - p; not in the paper.

    It is the mechanism of Chen, Ozgur and Kairouz (2022) for one bit; m = 1 is randomized response.
    """

    n: int
    m: int
    p: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_flip(self.m, self.p)

    @property
    def pool_law(self) -> PoolLaw:
        """What a user adds to the ones."""
        return flipped_bits(self.m, self.p)

    def randomize(self, x: int, coins: Coins) -> list[int]:
        """m bits."""
        check_bit(x)
        return [x ^ coins.bernoulli(self.p) for _ in range(self.m)]

    def analyze_pools(self, pools: Pools) -> Real:
        """The unbiased estimate of the sum of the users who take part, whose number the messages show."""
        zeros, ones = pools[0]
        return (ones - (zeros + ones) * self.p) / (self.m * (1 - 2 * self.p))
