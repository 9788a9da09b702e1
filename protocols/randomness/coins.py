"""The randomness that protocols are given: every draw that the paper's pseudocode names, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from panshuffle.exact.real import Real
from panshuffle.protocols.randomness.bernoulli import bernoulli_sampler
from panshuffle.protocols.randomness.binomial import binomial_sampler
from panshuffle.protocols.randomness.bits import BitSource, bit_source, sample_below
from panshuffle.protocols.randomness.geometric import geometric_sampler
from panshuffle.protocols.randomness.poisson import poisson_sampler

Item = TypeVar("Item")


class Coins:
    """Exact draws from one source of bits: the operating system's, or a seeded one.

    >>> from panshuffle.exact.real import real
    >>> coins = Coins(seed=1)
    >>> coins.bernoulli(real(1)), coins.binomial(0, real("1/2"))
    (1, 0)
    """

    def __init__(self, seed: int | None = None, source: BitSource | None = None) -> None:
        self.source = source if source is not None else bit_source(seed)

    def bits(self, count: int) -> int:
        """`count` fair bits as one integer."""
        return self.source.getrandbits(count) if count else 0

    def bit_list(self, count: int) -> list[int]:
        """`count` fair bits."""
        return [int(digit) for digit in f"{self.bits(count):0{count}b}"] if count else []

    def below(self, bound: int) -> int:
        """Uniform over 0, ..., bound - 1."""
        return sample_below(bound, self.source)

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """A uniformly random permutation (Fisher-Yates)."""
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            j = sample_below(i + 1, self.source)
            result[i], result[j] = result[j], result[i]
        return result

    def bernoulli(self, p: Real) -> int:
        """Ber(p)."""
        return bernoulli_sampler(p)(self.source)

    def binomial(self, n: int, p: Real) -> int:
        """Bin(n, p)."""
        return binomial_sampler(n, p)(self.source)

    def poisson(self, mu: Real) -> int:
        """Pois(mu)."""
        return poisson_sampler(mu)(self.source)

    def geometric(self, eps: Real) -> int:
        """G >= 0 with P[G >= i] = e^(-eps*i)."""
        return geometric_sampler(eps)(self.source)

    def symmetric_geometric(self, eps: Real) -> int:
        """The two-sided geometric law with mass in proportion to e^(-eps*|v|)."""
        return self.geometric(eps) - self.geometric(eps)
