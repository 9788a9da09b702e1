"""P_DE: the number of distinct elements, from one noisy OR for each element of [k]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from panshuffle.exact.laws.pool_law import PoolLaw, shared_bits
from panshuffle.exact.parameters import check_count, check_element, check_positive, flip_probability
from panshuffle.exact.real import HALF, Real, exp, real
from panshuffle.protocols.model.shuffle import Labelled, LabelledPools, Pools
from panshuffle.protocols.modular_sum import ModularSum

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class DistinctElements(LabelledPools[Real]):
    """n users hold elements of [k] and send m bits to each of k pools.

    The printed randomizer uses m without defining it, so m is a parameter here: delta only enters
    through it (`exact.parameters.messages` gives the m that serves a delta).
    """

    n: int
    k: int
    eps: Real
    m: int

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("k", self.k)
        check_positive("eps", self.eps)
        check_count("m", self.m)

    @cached_property
    def p_prime(self) -> Real:
        """p', the flip probability of a user who does not hold the element."""
        return flip_probability(self.n, self.eps)

    @cached_property
    def modular_sum(self) -> ModularSum:
        """P_MOD, as the subroutine."""
        return ModularSum(self.n, self.m)

    @property
    def pool_law(self) -> PoolLaw:
        """What a user adds to the ones of a pool."""
        return shared_bits(self.m, 1 - 2 * self.p_prime, real(0))

    def randomize(self, x: int, coins: Coins) -> list[Labelled]:
        """R_DE: for each j, shares of a fair bit if x = j, of a Ber(p') bit otherwise."""
        check_element(x, self.k)
        y: list[Labelled] = []
        for j in range(1, self.k + 1):
            u = coins.bernoulli(HALF if x == j else self.p_prime)
            y += [(j, share) for share in self.modular_sum.randomize(u, coins)]
        return y

    def analyze_pools(self, pools: Pools) -> Real:
        """A_DE: the unbiased estimate, a real number that may lie outside [0, k]."""
        count = sum(self.modular_sum.analyze_pools([pool]) for pool in pools)
        return (2 * count * exp(self.eps) - self.k) / (exp(self.eps) - 1)
