"""The error of P_HDE: the pools that are hit by D elements under a uniformly random hash function, then P_DE.

The number of collisions, D less the number of values hit, is a Markov chain over the elements: the next one collides
with probability (values hit so far)/k'.  Given it, the count of ones is a sum of two binomial counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isqrt

from flint import arb, ctx, fmpq
from panshuffle.exact.accuracy.affine_error import AffineError, CountLaw, Tails
from panshuffle.exact.numbers.certified import Certified, span
from panshuffle.exact.numbers.real import HALF, Real, exp, log, real, sqrt
from panshuffle.exact.parameters import check_count, check_open_unit, check_positive, refuse_if

SMALL_DISTINCT, SMALL_POOLS = 100, 2_000
MOST_DISTINCT = 10**6
MOST_POOLS = 10**10


@dataclass(frozen=True)
class HashedCount(Tails):
    """The number of ones among `pools` sums, with `distinct` elements hashed to them by a random function."""

    pools: int
    distinct: int
    p: Real

    @property
    def largest(self) -> int:
        """The largest value."""
        return self.pools

    def mean(self) -> Real:
        """E[C], from the expected number k'(1 - (1 - 1/k')^D) of values hit."""
        hit = self.pools * (1 - empty(self.pools, self.distinct, 1))
        return hit / 2 + (self.pools - hit) * self.p

    def variance(self) -> Real:
        """Var[C]: within a number of values hit, and between them."""
        k, d = self.pools, self.distinct
        one, two = empty(k, d, 1), empty(k, d, 2)
        hit = k * (1 - one)
        spread = k * (k - 1) * two + k * one - k * k * one * one
        tilt = HALF - self.p
        return hit / 4 + (k - hit) * self.p * (1 - self.p) + tilt * tilt * spread

    def given(self, collisions: int) -> CountLaw:
        """The law of the count given the number of collisions."""
        hit = self.distinct - collisions
        return CountLaw(((hit, HALF), (self.pools - hit, self.p)))

    def tails(self, most: int, least: int) -> Certified:
        """P[C <= most or C >= least]: to any precision for few elements, to about nine digits for many."""
        if self.distinct <= SMALL_DISTINCT and self.pools <= SMALL_POOLS:
            return Certified(lambda precision: self.outside_ball(most, least, precision), probability=True)

        def ball(precision: int) -> arb:
            low, high = map(Fraction, self.outside_doubles(most, least))
            return span(low, high, 64)

        return Certified(ball, probability=True)

    def outside_ball(self, most: int, least: int, precision: int) -> arb:
        """The same from the exact law of the collisions."""
        total = arb(0)
        for c, chance in enumerate(collision_law(self.distinct, self.pools)):
            if chance:
                ball = self.given(c).outside(most, least).ball(precision + 8)
                with ctx.workprec(precision + 16):
                    total += ball * arb(fmpq(chance, self.pools**self.distinct))
        return total

    def outside_doubles(self, most: int, least: int) -> tuple[float, float]:
        """Bounds of the same, from doubles with a proved error."""
        from panshuffle.exact.laws.double_law import binomial_window, outside_bounds

        masses, error = self.collision_window
        low = high = counted = 0.0
        for c, mass in enumerate(masses):
            if mass > 1e-20:
                windows = [binomial_window(n, p) for n, p in self.given(c).parts]
                bounds = outside_bounds(windows[0], windows[1], most, least)
                low, high, counted = low + mass * bounds[0], high + mass * bounds[1], counted + mass
        slack = error + (len(masses) + 4) * 2.0**-52
        missing = max(0.0, 1 - counted * (1 - slack))
        return max(0.0, low * (1 - slack)), min(1.0, high * (1 + slack) + missing)

    @cached_property
    def collision_window(self) -> tuple[list[float], float]:
        """Approximate probabilities of 0, 1, ... collisions and a bound on their relative error.

        What is not in the window is missing from the total, which is how it is accounted for.
        """
        import numpy as np

        expected = self.distinct**2 // (2 * self.pools) + 1
        size = min(self.distinct, expected + 12 * isqrt(expected) + 40)
        law, c = np.zeros(size), np.arange(size, dtype=np.float64)
        law[0] = 1.0
        for d in range(1, self.distinct):
            stay = (self.pools - d + c) / self.pools
            collide = np.maximum(d - c, 0.0) / self.pools
            moved = law * collide
            law *= stay
            law[1:] += moved[:-1]
        return law.tolist(), 5 * self.distinct * 2.0**-53


def empty(pools: int, distinct: int, named: int) -> Real:
    """The probability that so many named pools are hit by no element."""
    return exp(distinct * log(1 - real(named) / pools)) if pools > named else real(0)


@lru_cache(maxsize=8)
def collision_law(distinct: int, pools: int) -> list[int]:
    """How many of the pools^distinct functions have 0, 1, ... collisions.

    >>> collision_law(3, 2)
    [0, 6, 2]
    """
    counts = [1] + [0] * (distinct - 1)
    for d in range(distinct):
        hit = [d - c for c in range(distinct)]
        after = [counts[c] * max(0, pools - hit[c]) for c in range(distinct)]
        for c in range(distinct - 1):
            after[c + 1] += counts[c] * max(0, hit[c])
        counts = after
    return counts


def hashed_error(n: int, pools: int, distinct: int, eps: Real, gamma: Real | None = None) -> AffineError:
    """The error z - D of P_HDE with D distinct elements, hashed to `pools` values by a uniformly random function.

    *Raises* `ParameterError` for sizes that the laws are not made for.
    """
    check_count("n", n)
    check_positive("eps", eps)
    refuse_if(not 1 <= distinct <= MOST_DISTINCT, "distinct", distinct, f"a whole number from 1 to {MOST_DISTINCT}")
    refuse_if(pools > MOST_POOLS, "n", n, f"such that there are at most {MOST_POOLS} pools")
    full = 1 - exp(-eps)
    share = full ** (gamma if gamma is not None else real(1))
    law = HashedCount(pools, distinct, (1 - share) / 2)
    return AffineError(law, full / 2, (pools - (pools - distinct) * full) / 2)


def paper_alpha(n: int, c: Real, eps: Real, beta: Real) -> Real:
    """The corollary on P_HDE, Part II, as printed: the noise term has no c, and for c > 1 it is false."""
    check_open_unit("beta", beta)
    size = real(n) ** (real(1) / 3)
    noise = sqrt(2 * (size * size * size * size + 1) * log(4 / beta))
    return 2 * size * size / (c * beta) + exp(eps) / (exp(eps) - 1) * noise
