"""The central randomized OR that P_DE simulates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from panshuffle.exact.parameters import check_bit, check_count, check_positive, check_rows
from panshuffle.exact.real import HALF, Real, exp

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class RandomizedOr:
    """Ber(1/2) if some of n bits is 1, Ber(1/(2e^eps)) otherwise."""

    n: int
    eps: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_positive("eps", self.eps)

    def release(self, data: Sequence[int], coins: Coins) -> int:
        """The randomized OR."""
        check_rows(data, self.n, self.n)
        for x in data:
            check_bit(x)
        return coins.bernoulli(HALF if any(data) else exp(-self.eps) / 2)
