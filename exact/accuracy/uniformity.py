"""The law of the uniformity tester's statistic, for any distribution on [k].

Pool j gives W_j = 2 c_j(y) = 2c + P - Q, c ~ Pois(m p_j) and P, Q ~ Pois(lam/2) independent by Poisson thinning, and

    Z' = (k/m) sum of (W_j/2 - m/k)^2 - W_j/2 = (k/(4m)) (sum of W_j^2 - (4m/k + 2) W_j) + m,

so with m/k = a/b the integer T = sum of b W_j^2 - (4a + 2b) W_j decides: Z' > tau exactly if T > b (4m/k)(tau - m).
The law of T is a convolution of k laws on a lattice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import gcd, sqrt

from flint import arb

from exact.errors import ParameterError
from exact.laws.integer_law import IntegerLaw, poisson_floor
from exact.numbers.certified import Certified
from exact.numbers.real import Real, real
from exact.parameters import check_count, check_positive

LARGEST_DOMAIN = 2_000
LARGEST_LATTICE = 20_000_000


@dataclass(frozen=True)
class Statistic:
    """What the law of Z' depends on: the expected number m of samples, the noise lam, the distribution on [k].

    `law` maps a probability to how many elements have it, so that uniform and paired distributions are two numbers.
    """

    m: Real
    lam: Real
    law: tuple[tuple[Fraction, int], ...]

    @property
    def k(self) -> int:
        """The size of the domain."""
        return sum(count for _, count in self.law)

    def is_small(self) -> bool:
        """Whether the lattice of the exact law, twenty standard deviations of it, is small enough to be summed."""
        if self.k > LARGEST_DOMAIN or self.m.fraction is None:
            return False
        b = self.scale()[1]
        variance = 0.0
        for p, count in self.law:
            nu, mu, lam = float(self.m * p), float(self.m / self.k), float(self.lam)
            d = nu - mu
            variance += count * (2 * nu * nu + 4 * nu * d * d + lam * lam / 8 + lam / 3 + lam * mu + lam * d * d)
        return 80 * b / self.step()[1] * sqrt(variance) <= LARGEST_LATTICE

    def chance_above(self, tau: Real) -> Certified:
        """P[Z' > tau], the probability of "not uniform", for Pois(m) samples."""
        centre = self.m.fraction
        if centre is None:
            raise ParameterError("m", self.m, "rational")
        return Certified(lambda precision: self.chance_ball(tau, precision + 8, precision - 8), probability=True)

    def chance_ball(self, tau: Real, bits: int, cut: int | None = None) -> arb:
        """The same as a ball; what is below 2^-cut in one term is left out, which saves much and costs little."""
        return total_law(self, bits, cut).chance(self.least_rejected(tau))

    def scale(self) -> tuple[int, int]:
        """(a, b) with m/k = a/b."""
        centre = (self.m / self.k).fraction or Fraction(0)
        return centre.numerator, centre.denominator

    def step(self) -> tuple[int, int]:
        """(base, g): every value of b W^2 - (4a + 2b) W is base plus a multiple of g."""
        a, b = self.scale()
        values = [b * w * w - (4 * a + 2 * b) * w for w in range(4)]
        return values[0], reduce(gcd, (value - values[0] for value in values))

    def least_rejected(self, tau: Real) -> int:
        """The least lattice index of T for which Z' > tau."""
        b = self.scale()[1]
        base, g = self.step()
        edge = (b * 4 * self.m / self.k * (tau - self.m) - self.k * base) / g
        return edge.floor() + 1

    def threshold_at(self, index: int) -> Real:
        """The tau for which "not uniform" means a lattice index above this one."""
        base, g = self.step()
        return real(g * index + self.k * base) * self.k / (4 * self.m * self.scale()[1]) + self.m

    def term_law(self, p: Fraction, bits: int, cut: int | None = None) -> IntegerLaw:
        """The law of one term, as an index on the lattice."""
        noise = poisson_floor(self.lam / 2, bits)
        twice = poisson_floor(self.m * p, bits).image(lambda c: 2 * c)
        law = twice.plus(noise).plus(noise.image(lambda q: -q))
        law = law if cut is None else law.above(cut)
        return law.image(self.index_function())

    def index_function(self) -> Callable[[int], int]:
        """The lattice index of the term that a count W = w gives."""
        (a, b), (base, g) = self.scale(), self.step()
        return lambda w: (b * w * w - (4 * a + 2 * b) * w - base) // g


@lru_cache(maxsize=4)
def total_law(of: Statistic, bits: int, cut: int | None = None) -> IntegerLaw:
    """The law of T, as an index on its lattice: terms that occur equally often are added before they are multiplied."""
    by_count: dict[int, IntegerLaw] = {}
    for p, count in of.law:
        term = of.term_law(p, bits, cut)
        by_count[count] = by_count[count].plus(term) if count in by_count else term
    return reduce(IntegerLaw.plus, [term.times(count) for count, term in by_count.items()])


def statistic(m: Real, lam: Real, probabilities: Sequence[Fraction]) -> Statistic:
    """The statistic for a distribution given by its probabilities.  *Raises* `ParameterError` unless they sum to 1."""
    check_positive("m", m)
    check_positive("lam", lam)
    if not probabilities or min(probabilities) < 0 or sum(probabilities) != 1:
        raise ParameterError("p", ",".join(map(str, probabilities)), "probabilities that sum to 1")
    return Statistic(m, lam, tuple(sorted(Counter(probabilities).items())))


def uniform(k: int) -> list[Fraction]:
    """The uniform distribution on [k]."""
    check_count("k", k)
    return [Fraction(1, k)] * k


def paired(k: int, alpha: Fraction) -> list[Fraction]:
    """(1 + 2 alpha)/k and (1 - 2 alpha)/k in turn, at total variation alpha from uniform.

    *Raises* `ParameterError` for an odd k and for alpha outside of [0, 1/2].

    >>> paired(2, Fraction(1, 4))
    [Fraction(3, 4), Fraction(1, 4)]
    """
    if k % 2:
        raise ParameterError("k", k, "even, for a paired distribution")
    if not 0 <= alpha <= Fraction(1, 2):
        raise ParameterError("alpha", alpha, "between 0 and 1/2")
    return [(1 + 2 * alpha) / k, (1 - 2 * alpha) / k] * (k // 2)
