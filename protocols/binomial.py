"""The binomial mechanism: a 1-sensitive count plus Bin(l, p)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from panshuffle.exact.parameters import check_between, check_bit, check_count, check_rows
from panshuffle.exact.real import Real

if TYPE_CHECKING:
    from panshuffle.exact.laws.pool_law import PoolLaw
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class Binomial:
    """f(x) + Bin(l, p) for n bits, with f(x) their sum; l = 0, p = 0 and p = 1, which add no noise, are allowed."""

    n: int
    l: int
    p: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("l", self.l, least=0)
        check_between("p", self.p, Fraction(0), Fraction(1))

    @property
    def pool_law(self) -> PoolLaw:
        """What a user adds to the sum, and the noise."""
        from panshuffle.exact.laws.pool_law import noisy_count

        return noisy_count(self.l, self.p)

    def release(self, data: Sequence[int], coins: Coins) -> int:
        """The noisy sum, not de-biased, as printed."""
        check_rows(data, self.n, self.n)
        for x in data:
            check_bit(x)
        return sum(data) + coins.binomial(self.l, self.p)
