"""P_HDE: distinct elements of a large universe, hashed to about n^(4/3) values first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from flint import fmpz
from panshuffle.exact.parameters import check_count, check_element, check_real, hashed_size, refuse_if
from panshuffle.exact.real import Real
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.model.shuffle import Encoded, Labelled

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


@dataclass(frozen=True)
class HashedDistinctElements:
    """(R_DE o h, A_DE) with h: [k] -> [k'], k' = ceil(c n^(4/3)), drawn from public randomness.

    The paper asks for k >= k'; nothing breaks for a smaller k, so it is allowed.
    """

    n: int
    k: int
    eps: Real
    m: int
    c: Real

    def __post_init__(self) -> None:
        check_count("k", self.k)
        refuse_if(not check_real("c", self.c) >= 1, "c", self.c, "a finite number, at least 1")
        _ = self.protocol

    @cached_property
    def protocol(self) -> DistinctElements:
        """P_DE on the hashed domain."""
        return DistinctElements(self.n, hashed_size(self.n, self.c), self.eps, self.m)

    def publish(self, coins: Coins) -> Encoded[int, Labelled, Real]:
        """The protocol for one hash function h(x) = ((a x + b) mod q) mod k', q a prime, q >= k.

        The family is 2-universal (Carter and Wegman): two elements collide with probability at most 1/k'.
        """
        q = least_prime(self.k)
        a, b = 1 + coins.below(q - 1), coins.below(q)

        def h(x: int, _: Coins) -> int:
            check_element(x, self.k)
            return 1 + (a * (x - 1) + b) % q % self.protocol.k

        return Encoded(self.protocol, h)


@lru_cache(maxsize=64)
def least_prime(least: int) -> int:
    """The least prime that is at least `least`.

    >>> least_prime(1), least_prime(24)
    (2, 29)
    """
    candidate = max(2, least)
    while not fmpz(candidate).is_prime():
        candidate += 1
    return candidate
