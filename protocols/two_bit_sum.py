"""The example of section 2.3: two binary sums from randomized bits, with labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from panshuffle.exact.errors import InputError
from panshuffle.exact.laws.pool_law import PoolLaw, flipped_bits
from panshuffle.exact.parameters import check_between, check_count, check_pair
from panshuffle.exact.real import Real
from panshuffle.protocols.model.shuffle import Labelled, PoolProtocol, Pools, pools_of

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class TwoBitSum(PoolProtocol[Labelled, tuple[Real, Real]]):
    """n users hold two bits each and flip each of them with probability p.

    In the paper the two bits are sent without a label, and the shuffled messages then determine the sum
    of both sums only; here each bit carries its position.
    """

    n: int
    p: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_between("p", self.p, Fraction(0), Fraction(1, 2))

    @property
    def pool_law(self) -> PoolLaw:
        """What a user adds to the ones of a pool."""
        return flipped_bits(1, self.p)

    def randomize(self, x: tuple[int, int], coins: Coins) -> list[Labelled]:
        """Each bit, flipped with probability p, with its position."""
        check_pair(x)
        return [(position, bit ^ coins.bernoulli(self.p)) for position, bit in enumerate(x, start=1)]

    def count_pools(self, messages: Sequence[Labelled]) -> list[list[int]]:
        """The number of zeros and ones in each pool."""
        return pools_of(messages, 2)

    def check_estimate(self) -> None:
        """*Raises* `InputError` for p = 1/2."""
        if self.p.fraction == Fraction(1, 2):
            raise InputError("p = 1/2 leaves nothing to estimate: the analyzer needs p below 1/2")

    def analyze_pools(self, pools: Pools) -> tuple[Real, Real]:
        """The unbiased estimates of both sums.  *Raises* `InputError` for p = 1/2, where there are none."""
        self.check_estimate()
        first, second = ((ones - self.n * self.p) / (1 - 2 * self.p) for _, ones in pools)
        return first, second
