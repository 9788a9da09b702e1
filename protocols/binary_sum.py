"""P^zsum of Balcer and Cheu: a binary sum that is exactly 0 where the data is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from panshuffle.exact.laws.pool_law import PoolLaw, noisy_bits
from panshuffle.exact.parameters import check_between, check_bit, check_count
from panshuffle.exact.real import Real
from panshuffle.protocols.model.shuffle import OnePool, Pools

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class BinarySum(OnePool[int]):
    """n users send their bit and a Ber(p) bit.

    The paper quotes the randomizer only.  The analyzer is what we understand that of Balcer and Cheu (2020) to
    be, scaled from a frequency to a count; it was not checked against their text.
    """

    n: int
    p: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_between("p", self.p, Fraction(0), Fraction(1))

    @property
    def pool_law(self) -> PoolLaw:
        """What a user adds to the ones."""
        return noisy_bits(self.p)

    def randomize(self, x: int, coins: Coins) -> list[int]:
        """The true bit and a noise bit."""
        check_bit(x)
        return [x, coins.bernoulli(self.p)]

    def analyze_pools(self, pools: Pools) -> int:
        """The number of ones above n, which noise alone can't exceed; 0 if there are none."""
        return max(0, pools[0][1] - self.n)
