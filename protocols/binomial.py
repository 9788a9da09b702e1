"""The binomial mechanism: a 1-sensitive count plus Bin(l, p)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exact.real import Real
from exact.validation import check_bit, check_count, check_open_unit, check_rows
from protocols.randomness.coins import Coins


@dataclass(frozen=True)
class Binomial:
    """f(x) + Bin(l, p) for n bits, with f(x) their sum."""

    n: int
    l: int
    p: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("l", self.l)
        check_open_unit("p", self.p)

    def release(self, data: Sequence[int], coins: Coins) -> int:
        """The noisy sum, not de-biased, as printed."""
        check_rows(data, self.n, self.n)
        for x in data:
            check_bit(x)
        return sum(data) + coins.binomial(self.l, self.p)
