"""Q_ZSUM: a pan-private binary sum with binomial noise before and after the stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from panshuffle.exact.laws.pool_law import PoolLaw, noisy_count
from panshuffle.exact.parameters import check_bit, check_count
from panshuffle.exact.real import HALF

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class PanSum:
    """A stream of n bits; Bin(lam, 1/2) noise twice.

    The printed output range is the positive integers; the output may be 0.
    """

    n: int
    lam: int

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("lam", self.lam)

    @property
    def length(self) -> int:
        """The number of elements of the stream."""
        return self.n

    @property
    def pool_law(self) -> PoolLaw:
        """What an element adds to the state, and the noise."""
        return noisy_count(self.lam, HALF)

    def initial(self, coins: Coins) -> int:
        """I_0 ~ Bin(lam, 1/2)."""
        return coins.binomial(self.lam, HALF)

    def update(self, state: int, x: int, coins: Coins) -> int:
        """I_i = I_{i-1} + x_i."""
        check_bit(x)
        return state + x

    def output(self, state: int, coins: Coins) -> int:
        """I_n + Bin(lam, 1/2), not de-biased, as printed."""
        return state + coins.binomial(self.lam, HALF)
