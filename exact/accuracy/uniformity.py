"""The law of the uniformity tester's statistic, for any distribution on [k].

Pool j gives W_j = 2 c_j(y) = 2c + P - Q, c ~ Pois(m p_j) and P, Q ~ Pois(lam/2) independent by Poisson thinning, and

    Z' = (k/m) sum of (W_j/2 - m/k)^2 - W_j/2 = (k/(4m)) (sum of W_j^2 - (4m/k + 2) W_j) + m,

so with m/k = a/b the integer T = sum of b W_j^2 - (4a + 2b) W_j decides: Z' > tau exactly if T > b (4m/k)(tau - m).
The law of T is a convolution of k laws on a lattice.

*A fixed number n of samples* in place of Pois(m): the counts are multinomial; given how many samples are left, the next
element gets a binomial number of them.  A state is (samples of D left, uniform elements left) and the law of the part
of T that is known, times the probability of both.

*The transformed tester* Q_P analyzes n executions of R_UT.  The first n' = min(Bin(n, 2/9), floor(n/3)) elements of the
stream are among them, samples of D; the other n - n' hold uniform elements.  Every pool has the noise of all n
executions, Pois(lam).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, gcd, sqrt

from flint import arb
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.laws.integer_law import IntegerLaw, point, poisson_floor
from panshuffle.exact.parameters import check_positive, refuse_if
from panshuffle.exact.real import Certified, Real, real

Distribution = tuple[tuple[Fraction, int], ...]
"""Probabilities, and how many elements have each."""

LARGEST_DOMAIN = 2_000
LARGEST_LATTICE = 20_000_000
MOST_STEPS = 20_000
MOST_TRANSFORMED_STEPS = 36 * 40_000
LEAST_BITS = 40
"""With fewer, what is left out as too small would be whole laws."""


@dataclass(frozen=True)
class Statistic:
    """What the law of Z' depends on: the expected number m of samples, the noise lam, the distribution on [k].

    `law` maps a probability to how many elements have it, so that uniform and paired distributions are two numbers.
    """

    m: Real
    lam: Real
    law: Distribution

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
        if self.m.fraction is None:
            raise ParameterError("m", self.m, "rational")

        def ball(precision: int) -> arb:
            bits = max(precision, LEAST_BITS)
            return self.chance_ball(tau, bits + 8, bits - 8)

        return Certified(ball, probability=True)

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
        return self.count_law(p, bits, cut).image(self.index_function())

    def count_law(self, p: Fraction, bits: int, cut: int | None = None) -> IntegerLaw:
        """The law of the count W of an element of probability p."""
        noise = poisson_floor(self.lam / 2, bits)
        twice = poisson_floor(self.m * p, bits).image(lambda c: 2 * c)
        law = twice.plus(noise).plus(noise.image(lambda q: -q))
        return law if cut is None else law.above(cut)

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


def fixed_chance(of: Statistic, n: int, least: int) -> Certified:
    """P[T >= least] on the lattice of `of`, for n samples.  *Raises* `ParameterError` where that takes too long."""
    if n < 0 or n * n * of.k > MOST_STEPS:
        raise ParameterError("n", n, f"such that n^2 k is at most {MOST_STEPS}, for a fixed number of samples")

    used = (*(Fraction(0),) * n, Fraction(1))
    return Certified(lambda precision: samples_law(of, n, precision + 24, used).chance(least), probability=True)


def binomial_masses(n: int, q: Fraction, bits: int) -> list[int]:
    """The masses of Bin(n, q) in units of 2^-bits, rounded down."""
    top, bottom = q.numerator, q.denominator
    return [(comb(n, c) * top**c * (bottom - top) ** (n - c) << bits) // bottom**n for c in range(n + 1)]


Left = tuple[int, int]


def transformed_chance(of: Statistic, n: int, least: int) -> Certified:
    """P[T >= least] on the lattice of `of` for Q_P on n executions and a stream of floor(n/3) samples.

    *Raises* `ParameterError` where that takes too long.
    """
    refuse_if(n < 3, "n", n, "at least 3, so that the stream has an element")
    if len(of.law) == 1:
        return fixed_chance(of, n, least)
    if n**4 * of.k > MOST_TRANSFORMED_STEPS:
        raise ParameterError("n", n, f"such that n^4 k is at most {MOST_TRANSFORMED_STEPS}, for the transformed tester")

    return Certified(lambda precision: samples_law(of, n, precision + 24, used_law(n)).chance(least), probability=True)


def used_law(n: int) -> tuple[Fraction, ...]:
    """The masses of n' = min(Bin(n, 2/9), floor(n/3)).

    >>> [str(mass) for mass in used_law(3)]
    ['343/729', '386/729']
    """
    masses = [Fraction(comb(n, used) * 2**used * 7 ** (n - used), 9**n) for used in range(n + 1)]
    return *masses[: n // 3], sum(masses[n // 3 :], Fraction(0))


@lru_cache(maxsize=4)
def samples_law(of: Statistic, n: int, bits: int, used: tuple[Fraction, ...]) -> IntegerLaw:
    """The law of T, as an index on its lattice, for 0, 1, ... samples of D with these masses, the rest of n uniform.

    >>> from panshuffle.exact.accuracy.tester import paired_law
    >>> from panshuffle.exact.real import real
    >>> law = samples_law(Statistic(real(3), real(1), paired_law(2, Fraction(1, 4))), 3, 60, used_law(3))
    >>> 2**60 - law.total() < 2**20
    True
    """
    states: dict[Left, IntegerLaw] = {}
    for count, mass in enumerate(used):
        if mass:
            states[count, n - count] = point(0, bits).weighted((mass.numerator << bits) // mass.denominator)
    noise = poisson_floor(of.lam / 2, bits)
    spread, index = noise.plus(noise.image(lambda q: -q)), of.index_function()
    terms = [spread.moved(2 * c).image(index) for c in range(n + 1)]  # of an element with 0, 1, ..., n samples
    rest, elements = Fraction(1), of.k
    for p in [p for p, count in of.law for _ in range(count)]:
        states = after_element(states, p / rest if rest else Fraction(0), Fraction(1, elements), terms)
        rest, elements = rest - p, elements - 1
    return states[0, 0]


def after_element(
    states: dict[Left, IntegerLaw], own: Fraction, flat: Fraction, terms: list[IntegerLaw]
) -> dict[Left, IntegerLaw]:
    """The states after one more element, which gets binomial shares of the samples of D and of the uniform ones."""
    found: dict[Left, IntegerLaw] = {}
    for (samples, dummies), law in states.items():
        moved = [law.plus(terms[c]) for c in range(samples + dummies + 1)]
        shares = binomial_masses(dummies, flat, law.bits)
        for c, mass in enumerate(binomial_masses(samples, own, law.bits)):
            for d, share in enumerate(shares):
                weight = mass * share >> law.bits
                if weight:
                    piece, key = moved[c + d].weighted(weight), (samples - c, dummies - d)
                    found[key] = found[key].added(piece) if key in found else piece
    return found
