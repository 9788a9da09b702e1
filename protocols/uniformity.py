"""P_UT: a uniformity tester from k counts with Poisson-many noise bits."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from panshuffle.exact.parameters import (
    check_count,
    check_element,
    check_positive,
    check_real,
    threshold,
    threshold_as_printed,
)
from panshuffle.exact.real import Real
from panshuffle.protocols.model.shuffle import Labelled, LabelledPools, Pools

if TYPE_CHECKING:
    from panshuffle.protocols.randomness.coins import Coins


UNIFORM = "uniform"
NOT_UNIFORM = "not uniform"


@dataclass(frozen=True)
class Uniformity(LabelledPools[str]):
    """n users hold samples from a distribution on [k]; lam is the noise scale, m the expected sample size.

    Changed from the printed text: the printed randomizer overwrites its message vector at every j and
    so keeps the last element's messages only; here they are appended.  The printed threshold exceeds
    what far distributions reach once k is large; `repaired` has another, `as_printed` keeps it.
    The paper's lam and m are whole numbers; every positive real is allowed.
    """

    n: int
    k: int
    lam: Real
    m: Real
    tau: Real

    def __post_init__(self) -> None:
        check_count("n", self.n)
        check_count("k", self.k)
        check_positive("lam", self.lam)
        check_positive("m", self.m)
        check_real("tau", self.tau)

    @classmethod
    def repaired(cls, n: int, k: int, lam: Real, m: Real) -> Uniformity:
        """The tester with the repaired threshold."""
        return cls(n, k, lam, m, threshold(k, lam, m))

    @classmethod
    def as_printed(cls, n: int, k: int, lam: Real, m: Real, alpha: Real) -> Uniformity:
        """The tester with the printed threshold for distance alpha."""
        return cls(n, k, lam, m, threshold_as_printed(k, lam, m, alpha))

    @cached_property
    def noise_mean(self) -> Real:
        """lam/n, the expected number of noise bits that one user adds to a pool."""
        return self.lam / self.n

    def randomize(self, x: int, coins: Coins) -> list[Labelled]:
        """R_UT: for each j, the bit [x = j] and Pois(lam/n) fair bits."""
        check_element(x, self.k)
        y: list[Labelled] = []
        for j in range(1, self.k + 1):
            y.append((j, int(x == j)))
            s = coins.poisson(self.noise_mean)
            y += [(j, b) for b in coins.bit_list(s)]
        return y

    def analyze_pools(self, pools: Pools) -> str:
        """A_UT: "not uniform" if Z' > tau.

        The count c_j = ones - l_j/2 with l_j = -n + the size of the pool is half a whole number where
        l_j is odd.
        """
        doubled = [ones - zeros + self.n for zeros, ones in pools]
        total, centre = Fraction(sum(doubled), 2), self.m / self.k
        squares = Fraction(sum(c * c for c in doubled), 4) - 2 * centre * total + self.k * centre**2
        statistic = self.k / self.m * (squares - total)
        return NOT_UNIFORM if statistic > self.tau else UNIFORM
