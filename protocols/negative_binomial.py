"""The negative binomial mechanism: a sum of bits plus the failures before the l-th success of a coin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from panshuffle.exact.laws.negative_binomial import check_noise
from panshuffle.exact.numbers.real import Real, log, scaled_bounds
from panshuffle.exact.parameters import check_bit, check_count, check_rows
from panshuffle.protocols.randomness.bernoulli import WORD
from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class NegativeBinomial:
    """f(x) + NB(l, p) for n bits, with f(x) their sum; not in the paper.  p = 1, which adds no noise, is allowed."""

    n: int
    l: int
    p: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_noise(self.l, self.p)

    def release(self, data: Sequence[int], coins: Coins) -> int:
        """The noisy sum, not de-biased."""
        check_rows(data, self.n, self.n)
        for x in data:
            check_bit(x)
        return sum(data) + self.failures(coins)

    def failures(self, coins: Coins) -> int:
        """NB(l, p), in about (1 + ln(lp))/p draws.

        As many tosses as successes are missing can't bring too many, so they are drawn together; where they would
        bring less than one, each of the missing successes is waited for by a geometric draw.
        """
        missing, failures, chance = self.l, 0, scaled_bounds(self.p, WORD)[1]
        while missing and missing * chance >= 1 << WORD:
            successes = coins.binomial(missing, self.p)
            missing, failures = missing - successes, failures + missing - successes
        return failures + sum(coins.geometric(self.decay) for _ in range(missing))

    @cached_property
    def decay(self) -> Real:
        """The failures before one success are at least i with probability e^(-decay*i)."""
        return -log(1 - self.p)
