"""P_UT after domain compression: test uniformity over k_hat random groups of equal size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import check_count, check_element, check_open_unit, threshold, threshold_as_printed
from panshuffle.exact.real import Real, sqrt
from panshuffle.protocols.model.shuffle import Encoded, Labelled
from panshuffle.protocols.uniformity import Uniformity

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class CompressedUniformity:
    """Users run R_UT on the group of their sample; the partition is public randomness.

    The paper asks for a uniformly random partition and needs the groups of a uniform sample to be
    uniform, which holds for groups of equal size only.  Where k_hat does not divide k, the domain is
    padded to the next multiple K of k_hat: a user replaces their sample, with probability (K-k)/K, by a
    uniformly random padding element.  Uniform samples stay uniform, on [K], and every distance from
    uniform shrinks by the factor k/K, which is above 1/2.
    """

    n: int
    k: int
    k_hat: int
    lam: Real
    m: Real
    tau: Real

    def __post_init__(self) -> None:
        check_count("k", self.k)
        check_count("k_hat", self.k_hat)
        if self.k_hat > self.k:
            raise ParameterError("k_hat", self.k_hat, f"at most k = {self.k}")
        _ = self.protocol

    @classmethod
    def repaired(cls, n: int, k: int, k_hat: int, lam: Real, m: Real) -> CompressedUniformity:
        """The tester with the repaired threshold."""
        return cls(n, k, k_hat, lam, m, threshold(k_hat, lam, m))

    @classmethod
    def as_printed(cls, n: int, k: int, k_hat: int, lam: Real, m: Real, alpha: Real) -> CompressedUniformity:
        """The tester with the printed threshold for alpha_hat = alpha sqrt(k_hat) / (477 sqrt(10 k))."""
        check_open_unit("alpha", alpha)
        alpha_hat = alpha * sqrt(k_hat) / (477 * sqrt(10 * k))
        return cls(n, k, k_hat, lam, m, threshold_as_printed(k_hat, lam, m, alpha_hat))

    @cached_property
    def protocol(self) -> Uniformity:
        """P_UT on the groups."""
        return Uniformity(self.n, self.k_hat, self.lam, self.m, self.tau)

    def publish(self, coins: Coins) -> Encoded[int, Labelled, str]:
        """The protocol for one partition of [K] into k_hat groups of equal size."""
        size = -(-self.k // self.k_hat)
        groups = coins.shuffled(group for group in range(1, self.k_hat + 1) for _ in range(size))

        def group_of(x: int, user: Coins) -> int:
            check_element(x, self.k)
            padded = user.below(len(groups))
            return groups[padded if padded >= self.k else x - 1]

        return Encoded(self.protocol, group_of)
