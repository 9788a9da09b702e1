"""The Skellam sum: every user adds the difference of two Poisson draws to a bit, and only the sum is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from panshuffle.exact.laws.skellam import check_noise
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.parameters import check_bit, check_count, check_rows
from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class Skellam:
    """n users, each of whom adds Pois(lam/2n) - Pois(lam/2n); not in the paper (Agarwal, Kairouz, Liu 2021)."""

    n: int
    lam: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_noise(self.lam)

    def noise(self, users: int) -> Real:
        """The variance of what so many users add."""
        return self.lam * Fraction(users, self.n)

    def release(self, data: Sequence[int], coins: Coins) -> int:
        """The sum of the messages of the users who take part; their noise is drawn at once, which has the same law."""
        check_rows(data, 1, self.n)
        for x in data:
            check_bit(x)
        mean = self.noise(len(data)) / 2
        return sum(data) + coins.poisson(mean) - coins.poisson(mean)
