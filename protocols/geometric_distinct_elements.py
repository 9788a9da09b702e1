"""The central baseline: the number of distinct elements plus two-sided geometric noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from panshuffle.exact.parameters import check_count, check_element, check_positive, check_rows
from panshuffle.exact.real import Real

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class GeometricDistinctElements:
    """D(x) plus noise with mass in proportion to e^(-eps*|v|), for n elements of [k]."""

    n: int
    k: int
    eps: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("k", self.k)
        check_positive("eps", self.eps)

    def release(self, data: Sequence[int], coins: Coins) -> int:
        """The noisy count, which may lie outside 0, ..., k."""
        check_rows(data, self.n, self.n)
        for x in data:
            check_element(x, self.k)
        return len(set(data)) + coins.symmetric_geometric(self.eps)
