"""P_MOD: the sum of bits mod 2 from additive shares (Ishai, Kushilevitz, Ostrovsky, Sahai)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from panshuffle.exact.laws.pool_law import PoolLaw, shared_bits
from panshuffle.exact.parameters import check_bit, check_count
from panshuffle.exact.real import real
from panshuffle.protocols.model.shuffle import OnePool, Pools

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class ModularSum(OnePool[int]):
    """n users send m bits each.

    The paper only says that such a protocol exists and that m = O(sigma + log n); the shares are the
    construction that it cites.
    """

    n: int
    m: int

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("m", self.m)

    @property
    def pool_law(self) -> PoolLaw:
        """What a user adds to the ones."""
        return shared_bits(self.m, real(1), real(-1))

    def randomize(self, x: int, coins: Coins) -> list[int]:
        """m bits, uniform among those with sum x mod 2."""
        check_bit(x)
        shares = coins.bit_list(self.m - 1)
        return [*shares, x ^ (sum(shares) & 1)]

    def analyze_pools(self, pools: Pools) -> int:
        """The sum of all messages mod 2."""
        return pools[0][1] % 2
