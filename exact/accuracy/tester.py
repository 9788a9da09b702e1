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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial, reduce
from itertools import accumulate
from math import comb, factorial, gcd
from math import sqrt as float_sqrt
from operator import mul

import numpy as np
import numpy.typing as npt
from flint import arb, arb_poly, ctx, fmpq, fmpq_poly, fmpz, fmpz_poly
from panshuffle.exact.errors import InputError, ParameterError, Undecided
from panshuffle.exact.laws.integer_law import Doubles, IntegerLaw, light, point, poisson_floor
from panshuffle.exact.parameters import (
    THIRD,
    check_count,
    check_open_unit,
    check_positive,
    refuse_if,
    threshold,
    threshold_as_printed,
)
from panshuffle.exact.real import Certified, Real, as_fraction, exp, first_true, quotient, real, span, sqrt

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
        """Whether the lattice of the exact law is small enough to be summed."""
        return self.k <= LARGEST_DOMAIN and self.m.fraction is not None and self.lattice_size() <= LARGEST_LATTICE

    def lattice_size(self) -> float:
        """Roughly how many places of the lattice twenty standard deviations of T cover."""
        spread = float_sqrt(float(moments(self)[1])) * float(self.m) / self.k
        return 80 * self.scale()[1] / self.step()[1] * spread

    def chance_above(self, tau: Real) -> Certified:
        """P[Z' > tau], the probability of "not uniform", for Pois(m) samples."""
        if self.m.fraction is None:
            raise ParameterError("m", self.m, "rational")

        def ball(precision: int) -> arb:
            bits = max(precision, LEAST_BITS)
            return self.chance_ball(tau, bits + 8, bits - 8)

        return Certified(ball, probability=True)

    def chance_ball(self, tau: Real, bits: int, cut: int) -> arb:
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

    def term_law(self, p: Fraction, bits: int, cut: int) -> IntegerLaw:
        """The law of one term, as an index on the lattice."""
        return self.count_law(p, bits, cut).image(self.index_function())

    def count_law(self, p: Fraction, bits: int, cut: int) -> IntegerLaw:
        """The law of the count W of an element of probability p, without the masses below 2^-cut."""
        noise = poisson_floor(self.lam / 2, bits)
        twice = poisson_floor(self.m * p, bits).image(lambda c: 2 * c)
        return twice.plus(noise).plus(noise.image(lambda q: -q)).above(cut)

    def index_function(self) -> Callable[[int], int]:
        """The lattice index of the term that a count W = w gives."""
        (a, b), (base, g) = self.scale(), self.step()
        return lambda w: (b * w * w - (4 * a + 2 * b) * w - base) // g

    def spectrum(self) -> Spectrum:
        """The characteristic function of Z' in floating point, for searches only."""
        mean, variance = (float(value) for value in moments(self))
        sd = float_sqrt(variance)
        return Spectrum(mean, sd, reduce(mul, (self.turns(p, mean, sd) ** count for p, count in self.law)))

    def turns(self, p: Fraction, mean: float, sd: float) -> Complexes:
        """The characteristic function of one term, less its share of the mean of Z', in units of sd."""
        law, mu = self.count_law(p, *SEARCH_BITS), float(self.m / self.k)
        masses = np.array([int(mass) for mass in law.masses.coeffs()], dtype=np.float64)
        w = np.arange(law.first, law.first + len(masses), dtype=np.float64)
        x = (((w / 2 - mu) ** 2 - w / 2) / mu - mean / self.k) / sd
        found: Complexes = np.exp(1j * np.outer(HALVES * (2 * np.pi / PERIOD), x)).dot(masses / masses.sum())
        return found


@lru_cache(maxsize=4)
def total_law(of: Statistic, bits: int, cut: int) -> IntegerLaw:
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


# The uniformity tester's two errors, by its exact law or by its moments, its thresholds, the samples it needs.
#
# The least number of samples is searched for in floats and decided by balls.


BITS = (44, 88, 176, 352, 704)
CUT = 16
MOST_SAMPLES = 1 << 40
FEW_SAMPLES = 64


def moments(of: Statistic) -> tuple[Real, Real]:
    """The mean and the variance of Z'.

    *Formula*: with nu = m p_j, mu = m/k and d = nu - mu, E = (k/m) sum of d^2 + lam/4 and
    Var = (k/m)^2 sum of 2 nu^2 + 4 nu d^2 + lam^2/8 + 5 lam/16 + lam mu + lam d^2.
    *Source*: uniformity-tester-theorem.

    >>> [str(value) for value in moments(Statistic(real(16), real(10), uniform_law(2)))]
    ['5/8', '1789/256']
    """
    mu, lam = of.m / of.k, of.lam
    mean, variance = real(0), real(0)
    for p, count in of.law:
        nu = of.m * p
        d = nu - mu
        mean += count * (d * d + lam / 4)
        variance += count * (2 * nu * nu + 4 * nu * d * d + lam * lam / 8 + 5 * lam / 16 + lam * mu + lam * d * d)
    ratio = of.k / of.m
    return ratio * mean, ratio * ratio * variance


def chance_bounds(of: Statistic, tau: Real) -> tuple[Real, Real]:
    """Bounds of P[Z' > tau] from the two moments, by Cantelli's inequality: good for every k."""
    mean, variance = moments(of)
    gap = tau - mean
    tail = variance / (variance + gap * gap)
    return (real(0), tail) if gap.sign() >= 0 else (1 - tail, real(1))


def interval(low: Real, high: Real) -> Certified:
    """A probability that is known to lie between two numbers."""

    def ball(precision: int) -> arb:
        ends = low.ball(precision), high.ball(precision)
        with ctx.workprec(precision):
            return ends[0].union(ends[1])

    return Certified(ball, probability=True)


def uniform_law(k: int) -> Distribution:
    """The uniform distribution, by its probabilities and how many elements have each."""
    check_count("k", k)
    return ((Fraction(1, k), k),)


def paired_law(k: int, alpha: Fraction) -> Distribution:
    """The paired distribution at total variation alpha, in the same form.

    *Raises* `ParameterError` for an odd k and for alpha outside of [0, 1/2].

    >>> paired_law(4, Fraction(1, 4))
    ((Fraction(1, 8), 2), (Fraction(3, 8), 2))
    """
    refuse_if(k % 2, "k", k, "even, for a paired distribution")
    refuse_if(not 0 <= alpha <= Fraction(1, 2), "alpha", alpha, "between 0 and 1/2")
    return ((1 - 2 * alpha) / k, k // 2), ((1 + 2 * alpha) / k, k // 2)


def is_at_most(
    of: Statistic | TwoKinds, tau: Real, limit: Fraction, above: bool, copies: int = 1, votes: int = 1
) -> bool:
    """Whether P["not uniform"] (or, for `above` False, P["uniform"]) is at most the limit for copies that vote.

    The moments of a single statistic decide where they can, the exact law at growing precision elsewhere.
    *Raises* `Undecided`.
    """
    if copies == 1 and isinstance(of, Statistic):
        low, high = chance_bounds(of, tau)
        if not above:
            low, high = 1 - high, 1 - low
        try:
            if high <= limit:
                return True
            if low > limit:
                return False
        except Undecided:
            pass
    for bits in BITS:
        with ctx.workprec(bits):
            chance = tail_enclosed([(of.chance_ball(tau, bits, bits - CUT), copies)], votes)
            gap = (chance if above else 1 - chance) * limit.denominator - limit.numerator
        if gap < 0 or gap > 0:
            return bool(gap < 0)
    raise Undecided(f"whether a probability is below {limit} is not decided with {BITS[-1]} bits")


def best_threshold(k: int, lam: Real, m: Real) -> Real:
    """The least threshold with P["not uniform"] <= 1/3 under the uniform distribution, a value of the statistic.

    No threshold with that type I error has a smaller type II error, whatever the alternative.  *Raises* `Undecided`.

    >>> best_threshold(2, real(10), real(16)).fraction
    Fraction(31, 32)
    """
    of = Statistic(m, lam, uniform_law(k))
    for bits in BITS:
        law = total_law(of, bits, bits - CUT)
        allowed = (1 << bits) // 3
        count, above = light(reversed(law.masses.coeffs()), fmpz(allowed + 1))
        if above + (1 << bits) - law.total() <= allowed:
            return of.threshold_at(law.first + law.masses.degree() - count)
    raise Undecided(f"the threshold is not decided with {bits} bits")


@dataclass(frozen=True)
class Tester:
    """Copies that vote, each with a threshold on k_hat elements or groups of them; m is that of all copies.

    `rule` gives the threshold from k_hat, lam and the m of one copy; with `by_quantile` it is found faster, in floating
    point, as the quantile of the statistic on uniform samples.
    """

    k_hat: int
    lam: Real
    copies: int = 1
    votes: int = 1
    rule: Callable[[int, Real, Real], Real] = threshold
    by_quantile: bool = False

    def tau(self, m: Real) -> Real:
        """The threshold of one copy."""
        return self.rule(self.k_hat, self.lam, m / self.copies)

    def statistics(self, m: Real, far: Distribution) -> tuple[Statistic, Statistic | TwoKinds]:
        """The statistic of one copy on uniform and on far samples, of the elements or of groups of more elements."""
        one = m / self.copies
        flat = Statistic(one, self.lam, uniform_law(self.k_hat))
        alike = Statistic(one, self.lam, far)
        return flat, alike if alike.k == self.k_hat else TwoKinds(one, self.lam, self.k_hat, far)

    def works(self, m: Real, far: Distribution) -> bool:
        """Whether both errors are at most 1/3.  *Raises* `Undecided`."""
        flat, other = self.statistics(m, far)
        cases = ((other, False), (flat, True))
        return all(is_at_most(of, self.tau(m), THIRD, above, self.copies, self.votes) for of, above in cases)

    def seems_to_work(self, m: Real, far: Distribution) -> bool:
        """The same in floating point, for a search."""
        flat, other = (of.spectrum() for of in self.statistics(m, far))
        tau = flat.upper_quantile(float(THIRD)) if self.by_quantile else float(self.tau(m))
        both = [tail_float(self.copies, of.chance_above(tau), self.votes) for of in (flat, other)]
        return both[0] <= THIRD + Fraction(1, 10**6) and both[1] >= 1 - THIRD

    def least_float(self, most: int, far: Distribution) -> int | None:
        """About the least multiple of copies * k_hat that works, up to a given m.

        None where that does not work, or where its exact law is too large.
        """
        unit = self.copies * self.k_hat
        last = -(-most // unit) - 1
        if not self.statistics(real(unit * (last + 1)), far)[1].is_small():
            return None

        def seems(i: int) -> bool:
            return self.seems_to_work(real(unit * (i + 1)), far)

        return unit * (first_true(seems, last, 3 * last // 4) + 1) if seems(last) else None


def tail_float(copies: int, p: float, votes: int) -> float:
    """P[Bin(copies, p) >= votes] in floating point."""
    return sum(comb(copies, i) * p**i * (1 - p) ** (copies - i) for i in range(votes, copies + 1))


def repaired(k: int, lam: Real) -> Tester:
    """The tester on k elements with the threshold of uniformity-tester-theorem."""
    return Tester(k, lam)


def printed(k: int, lam: Real, alpha: Real) -> Tester:
    """The tester with the printed threshold."""
    check_open_unit("alpha", alpha)
    return Tester(k, lam, rule=partial(threshold_as_printed, alpha=alpha))


def optimal(k: int, lam: Real) -> Tester:
    """The tester with the least threshold that keeps the type I error at 1/3."""
    return Tester(k, lam, rule=best_threshold, by_quantile=True)


def sufficient_samples(k: int, lam: Real, alpha: Real) -> int:
    """uniformity-tester-theorem: m >= 54 k^(1/2)/alpha^2 and m >= 4 k^(3/4) lam^(1/2)/alpha is enough, lam >= 1.

    >>> sufficient_samples(100, real(301), real("1/4"))
    8779
    """
    check_count("k", k)
    check_open_unit("alpha", alpha)
    refuse_if(lam < 1, "lam", lam, "at least 1, for the theorem on the repaired tester")
    root = sqrt(real(k))
    return max((54 * root / (alpha * alpha)).ceil(), (4 * root * sqrt(root) * sqrt(lam) / alpha).ceil())


@dataclass(frozen=True)
class SampleSize:
    """m meets the target and m - 1 does not, both certified; `smaller_tried` says whether every smaller m was."""

    m: int
    smaller_tried: bool


def least_samples(tester: Tester, far: Distribution, progress: Callable[[str], None] = lambda text: None) -> SampleSize:
    """The least m found at which both errors are at most 1/3, for Pois(m) samples of the uniform and of `far`.

    Feasibility need not be monotone in m: where 64 samples seem to be enough, every m from 1 on is tried; beyond, the
    boundary is found in floating point by doubling and bisection, and moved until the exact law confirms both sides.
    *Raises* `ParameterError` where no m up to 2^40 will do.
    """
    if not tester.seems_to_work(real(FEW_SAMPLES), far):
        return certified_boundary(tester, far, boundary_float(tester, far), progress)
    for few in range(1, FEW_SAMPLES + 1):
        progress(f"m = {few}")
        if tester.works(real(few), far):
            return SampleSize(few, True)
    return certified_boundary(tester, far, FEW_SAMPLES + 1, progress)


def boundary_float(tester: Tester, far: Distribution) -> int:
    """An m that seems to work where m - 1 does not."""
    first = FEW_SAMPLES + 1
    found = first + first_true(lambda i: tester.seems_to_work(real(first + i), far), MOST_SAMPLES)
    limit = "found within the limit: the alternative is too close"
    refuse_if(found > MOST_SAMPLES, "m", f"above {MOST_SAMPLES}", limit)
    return found


def certified_boundary(tester: Tester, far: Distribution, guess: int, progress: Callable[[str], None]) -> SampleSize:
    """The boundary next to a guess, both sides of it certified."""
    m = guess

    def works(value: int) -> bool:
        progress(f"m = {value}")
        return tester.works(real(value), far)

    if works(m):
        while m > 1 and works(m - 1):
            m -= 1
        return SampleSize(m, m == 1)
    while not works(m + 1):
        m += 1
    return SampleSize(m + 1, False)


def proof_conditions(k: int, lam: Real, m: Real, alpha: Real, distance: Fraction) -> dict[str, bool]:
    """Whether each inequality that the proof of Theorem ut-upper-bound-prelim asks for holds, by what it is for.

    Where all of them hold, the paper concludes that the printed tester notices the paired alternative with probability
    21/50.

    Z is the statistic without noise: under the uniform law E[Z] = 0 and Var[Z] = 2k, at the paired alternative, with
    mu = m/k and d = 2 a mu, E[Z] = (k/m) k d^2 = 4 a^2 m and Var[Z] = (k/m)^2 k (2 mu^2 + 2 d^2 + 4 mu d^2).

    >>> conditions = proof_conditions(10**8, real(6000), real(3 * 10**9), real("1/4"), Fraction(26, 100))
    >>> all(conditions.values())
    True
    """
    mu, root = m / k, sqrt(real(k))
    d = 2 * distance * mu
    far_mean = 4 * distance * distance * m
    far_variance = k * (2 * mu * mu + 2 * d * d + 4 * mu * d * d) / (mu * mu)
    half = 278 * alpha * alpha * m / 2000
    return {
        "the alternative is farther than alpha": real(distance) > alpha,
        "scale-concentration: 2k exp(-lam/4) < 1/50": 2 * k * exp(-lam / 4) < Fraction(1, 50),
        "moments-uniform: Var[Z] <= alpha^4 m^2/500000": 2 * k <= alpha**4 * m * m / 500000,
        "ex-z-non: E[Z] >= alpha^2 m/5": far_mean >= alpha * alpha * m / 5,
        "var-z-non: Var[Z] <= E[Z]^2/100": far_variance <= far_mean * far_mean / 100,
        "h_1: the terms in lam and lam^(1/2)": half > 10 * k * root * (lam + sqrt(lam)) / m,
        "h_2: the term in (lam/m)^(1/2)": half > 10 * k * sqrt(lam) / sqrt(m),
    }


# The tester's probabilities in floating point, for searches only: nothing here decides anything.
#
# P[X < x] is read off the characteristic function at half-integer multiples of a small step (Davies 1973).


Complexes = npt.NDArray[np.complex128]

PERIOD = 40.0
HALVES: Doubles = np.arange(0.5, 320)
SEARCH_BITS = (64, 40)
"""Of the masses, and of the least that is kept."""


@dataclass(frozen=True)
class Spectrum:
    """Mean and standard deviation of Z', and its characteristic function where it is read, in standard units."""

    mean: float
    sd: float
    phi: Complexes

    def chance_above(self, tau: float) -> float:
        """P[Z' > tau], to a few digits."""
        t = HALVES * (2 * np.pi / PERIOD)
        turned = self.phi * np.exp(-1j * t * ((tau - self.mean) / self.sd))
        return float(min(1.0, max(0.0, 0.5 + np.sum(turned.imag / HALVES) / np.pi)))

    def upper_quantile(self, chance: float) -> float:
        """About the least tau with P[Z' > tau] <= chance."""
        low, high = self.mean - 5 * self.sd, self.mean + 10 * self.sd
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.chance_above(middle) > chance else (low, middle)
        return high


# r independent copies of a tester that vote: the law of the number of copies that say "not uniform".
#
# For Pois(m) samples of which each goes to a copy of its own choice, every copy has Pois(m/r) of them, independently;
# and so has every copy its own noise and, after domain compression, its own partition. So the votes are independent,
# each with the exact probability of one copy. For a fixed number of samples in equal shares they are independent as
# well.


MOST_COPIES = 1_000
LARGEST_EXACT_BITS = 4_000


def check_copies(copies: int) -> None:
    """*Raises* `ParameterError` unless there are between 1 and 1000 copies."""
    check_count("copies", copies)
    refuse_if(copies > MOST_COPIES, "copies", copies, f"at most {MOST_COPIES}")


def votes_needed(copies: int, p: Fraction = THIRD) -> int:
    """The least number of votes with P[Bin(copies, p) >= votes] <= 1/3, so that the type I error is at most that.

    A copy with the repaired threshold errs with at most p = 1/3 on uniform samples, whatever its m and lam.

    >>> [votes_needed(copies) for copies in (1, 2, 3, 5, 9, 15)]
    [1, 2, 2, 3, 5, 7]
    >>> votes_needed(5, Fraction(1, 21))
    1
    """
    check_copies(copies)
    law = fmpq_poly([quotient(1 - p), quotient(p)]) ** copies
    tails = accumulate(law[votes] for votes in range(copies, 0, -1))
    return copies + 1 - sum(tail <= quotient(THIRD) for tail in tails)


def repeated_chance(parts: Sequence[tuple[Certified, int]], votes: int) -> Certified:
    """P[at least that many votes], for each (chance, count) of `parts` that many independent copies with this chance.

    It grows with every chance, so an enclosure of a chance gives one of the answer.

    >>> repeated_chance([(Certified.of(Fraction(1, 3)), 2), (Certified.of(Fraction(1, 2)), 1)], 2).exact
    Fraction(1, 3)
    """
    copies = sum(count for _, count in parts)
    check_copies(copies)
    if not 1 <= votes <= copies:
        raise ParameterError("votes", votes, f"a whole number from 1 to {copies}, the number of copies")
    exact = [(chance.exact, count) for chance, count in parts if chance.exact is not None]
    if len(exact) == len(parts) and sum(p.denominator.bit_length() * n for p, n in exact) <= LARGEST_EXACT_BITS:
        return Certified.of(exact_tail(exact, votes))

    def ball(precision: int) -> arb:
        chances = [(chance.ball(precision + 16), count) for chance, count in parts]
        with ctx.workprec(precision + 32):
            return tail_enclosed(chances, votes)

    return Certified(ball, probability=True)


def exact_tail(parts: Sequence[tuple[Fraction, int]], votes: int) -> Fraction:
    """The same for rational chances."""
    law = reduce(mul, (fmpq_poly([quotient(1 - p), quotient(p)]) ** count for p, count in parts))
    return as_fraction(sum((law[i] for i in range(votes, law.degree() + 1)), fmpq(0)))


def tail_enclosed(parts: Sequence[tuple[arb, int]], votes: int) -> arb:
    """The tail between those at the lower ends of the chances, at least 0, and at their upper ends, at most 1."""
    low = [(chance.lower().max(arb(0)), count) for chance, count in parts]
    high = [(chance.upper().min(arb(1)), count) for chance, count in parts]
    return tail_ball(low, votes).union(tail_ball(high, votes))


def tail_ball(parts: Sequence[tuple[arb, int]], votes: int) -> arb:
    """The tail at given chances: all terms of the product are positive."""
    law = reduce(mul, (arb_poly([1 - p, p]) ** count for p, count in parts), arb_poly([1]))
    return sum((law[i] for i in range(votes, law.degree() + 1)), arb(0))


def shares(n: int, copies: int) -> list[tuple[int, int]]:
    """(size, how many copies have it) for n users in shares that differ by one at most.

    >>> shares(7, 3), shares(6, 3)
    ([(2, 2), (3, 1)], [(2, 3)])
    """
    size, larger = divmod(n, copies)
    return [part for part in ((size, copies - larger), (size + 1, larger)) if part[1]]


# The tester on groups: the law of Z' over a random partition into groups of equal size, as well.
#
# The groups of a uniform distribution are uniform, so nothing is random about them.  For any other distribution the
# partitions are enumerated by the kinds of elements in each group, where there are few kinds of partitions.  A group's
# padding elements have the probability 1/K each, K the padded size, and every other probability is scaled by k/K.
#
# For two probabilities and groups that divide the domain, partitions may be many.  A uniformly random partition of
# c_0 + c_1 = K elements of two kinds into groups of s: give each group Bin(s, f) elements of the second kind,
# independently, f = c_1/K; given that they are c_1 in all, that is the law of the partition's kinds.  So with z marking
# elements of the second kind, the law of T and the partition together is the coefficient of z^(c_1) in
#
#     (sum over a of C(s, a) f^a (1-f)^(s-a) z^a law_a)^(k_hat) / P[Bin(K, f) = c_1],
#
# law_a the law of the term of a group with a elements of the second kind.


MOST_ELEMENTS = 200
MOST_WORK = 3_000_000_000

Laws = list[IntegerLaw | None]
"""The law for each number of elements of the second kind, None for none."""

MOST_PARTITIONS = 2_000


@dataclass(frozen=True)
class TwoKinds:
    """k_hat groups of equal size for a distribution with two probabilities, ((p_0, c_0), (p_1, c_1))."""

    m: Real
    lam: Real
    k_hat: int
    law: Distribution

    def __post_init__(self) -> None:
        if len(self.law) != 2 or self.k % self.k_hat:
            raise ParameterError("k-hat", self.k_hat, "a divisor of k, for a distribution with two probabilities")
        refuse_if(self.k > MOST_ELEMENTS, "k", self.k, f"at most {MOST_ELEMENTS}, for the law over all partitions")

    @property
    def k(self) -> int:
        """The size of the domain."""
        return sum(count for _, count in self.law)

    def is_small(self) -> bool:
        """Whether the lattice, times the square of the number of elements, is small enough for the powers."""
        return self.m.fraction is not None and 4 * self.on_groups.lattice_size() * self.k**2 <= MOST_WORK

    @property
    def share(self) -> Fraction:
        """f, the share of the elements that are of the second kind."""
        return Fraction(self.law[1][1], self.k)

    @property
    def on_groups(self) -> Statistic:
        """The statistic on uniform groups, which has the lattice of all of them."""
        return Statistic(self.m, self.lam, ((Fraction(1, self.k_hat), self.k_hat),))

    def weights(self) -> list[Fraction]:
        """The masses of Bin(s, f)."""
        s, f = self.k // self.k_hat, self.share
        return [comb(s, a) * f**a * (1 - f) ** (s - a) for a in range(s + 1)]

    def chances(self) -> list[Fraction]:
        """The probability of a group with 0, 1, ..., s elements of the second kind."""
        s, ((first, _), (second, _)) = self.k // self.k_hat, self.law
        return [(s - a) * first + a * second for a in range(s + 1)]

    def chance_above(self, tau: Real) -> Certified:
        """P[Z' > tau] over samples, noise and partition."""
        return Certified(lambda precision: self.chance_ball(tau, precision + 8, precision - 8), probability=True)

    def chance_ball(self, tau: Real, bits: int, cut: int) -> arb:
        """The same as a ball; what is below 2^-cut in one term is left out."""
        law, least = partition_law(self, bits, cut), self.on_groups.least_rejected(tau)
        block = comb(self.k, self.law[1][1]) * self.share ** self.law[1][1] * (1 - self.share) ** self.law[0][1]
        low = Fraction(law.at_least(least), 1 << bits) / block
        missing = 1 - Fraction(law.total(), 1 << bits) / block
        high = min(Fraction(1), low + missing)
        return span(low, high, bits + 16)

    def spectrum(self) -> Spectrum:
        """The characteristic function of Z' in floating point, for searches only."""
        k, h, m, lam, s = self.k, self.k_hat, float(self.m), float(self.lam), self.k // self.k_hat
        mu, second = m / h, self.law[1][1]
        norm = float(sum(count * (p - Fraction(1, k)) ** 2 for p, count in self.law)) * s * (h - 1) / (k - 1)
        mean = (m * m * norm + h * lam / 4) / mu
        noise = h * (2 * (mu + lam / 4) ** 2 + 5 * lam / 16) + (2 + 4 * mu + lam) * m * m * norm
        sd = float_sqrt(noise + 2 * (m * m * norm) ** 2 / (h - 1)) / mu
        turns = (self.on_groups.turns(p, mean, sd) for p in self.chances())
        parts = np.array([float(weight) * row for weight, row in zip(self.weights(), turns, strict=True)])
        roots = np.exp(2j * np.pi * np.arange(k + 1) / (k + 1))
        powers = (roots[:, None] ** np.arange(s + 1)[None, :]) @ parts
        found = (powers**h * roots[:, None] ** (-second)).mean(axis=0)
        block = comb(k, second) * float(self.share) ** second * float(1 - self.share) ** (k - second)
        return Spectrum(mean, sd, found / block)


@lru_cache(maxsize=4)
def partition_law(of: TwoKinds, bits: int, cut: int) -> IntegerLaw:
    """The law of T as an index on its lattice, together with the event that c_1 elements are of the second kind."""
    terms: Laws = []
    for p, weight in zip(of.chances(), of.weights(), strict=True):
        term = of.on_groups.term_law(p, bits, cut)
        terms.append(term.weighted((weight.numerator << bits) // weight.denominator))
    half = power(terms, of.k_hat // 2)
    other = half if of.k_hat % 2 == 0 else product(half, terms)
    found = coefficient(half, other, of.law[1][1])
    return found if found is not None else IntegerLaw(fmpz_poly([]), 0, bits)


def power(terms: Laws, count: int) -> Laws:
    """The terms to a power of at least 1."""
    if count == 1:
        return terms
    half = power(terms, count // 2)
    square = product(half, half)
    return square if count % 2 == 0 else product(square, terms)


def product(left: Laws, right: Laws) -> Laws:
    """The product of two polynomials whose coefficients are laws."""
    return [coefficient(left, right, degree) for degree in range(len(left) + len(right) - 1)]


def coefficient(left: Laws, right: Laws, degree: int) -> IntegerLaw | None:
    """One coefficient of the product, rounded down once."""
    pieces: list[IntegerLaw] = []
    for i, one in enumerate(left):
        other = right[degree - i] if 0 <= degree - i < len(right) else None
        if one is not None and other is not None:
            pieces.append(IntegerLaw(one.masses * other.masses, one.first + other.first, one.bits))  # over 4^bits
    if not pieces:
        return None
    total = reduce(IntegerLaw.added, pieces)
    found = total.rounded(total.masses, total.first)
    return found.cut() if found.masses.degree() >= 0 else None


Kinds = tuple[int, ...]


def compressed_chance(
    m: Real, lam: Real, k_hat: int, law: Distribution, tau: Real
) -> tuple[Certified, tuple[Real, Real] | None]:
    """P[Z' > tau] on k_hat groups, and its two ends where the moments have to do.

    *Raises* `InputError` for too many partitions.
    """
    k = sum(count for _, count in law)
    if len(law) == 2 and k % k_hat == 0 and k <= MOST_ELEMENTS and 2 <= k_hat < k:
        kinds = TwoKinds(m, lam, k_hat, law)
        if kinds.is_small():
            return kinds.chance_above(tau), None
    parts = grouped(m, lam, k_hat, law)
    if not all(of.is_small() for of, _ in parts):
        bounds = [(chance_bounds(of, tau), weight) for of, weight in parts]
        low, high = (sum((ends[i] * weight for ends, weight in bounds), start=Real(Fraction(0))) for i in (0, 1))
        return interval(low, high), (low, high)
    return mixture([(of.chance_above(tau), weight) for of, weight in parts]), None


def compressed_fixed(m: Real, lam: Real, k_hat: int, law: Distribution, tau: Real, n: int) -> Certified:
    """The same for exactly n samples.  *Raises* `InputError` for too many partitions or samples."""
    parts = grouped(m, lam, k_hat, law)
    return mixture([(fixed_chance(of, n, of.least_rejected(tau)), weight) for of, weight in parts])


def grouped(m: Real, lam: Real, k_hat: int, law: Distribution) -> list[tuple[Statistic, Fraction]]:
    """The statistics on the groups of all partitions, and how likely each is; one for the uniform distribution."""
    k = sum(count for _, count in law)
    size = -(-k // k_hat)
    padded = size * k_hat
    kinds = [(p * k / padded, count) for p, count in law]
    kinds += [(Fraction(1, padded), padded - k)] if padded > k else []
    if {p for p, _ in kinds} == {Fraction(1, padded)}:
        return [(Statistic(m, lam, ((Fraction(1, k_hat), k_hat),)), Fraction(1))]
    weights = partitions(tuple(count for _, count in kinds), k_hat, size)
    total = sum(weights.values())
    found = []
    for groups, weight in weights.items():
        chances = Counter(sum((p * n for (p, _), n in zip(kinds, group, strict=True)), Fraction(0)) for group in groups)
        found.append((Statistic(m, lam, tuple(sorted(chances.items()))), Fraction(weight, total)))
    return found


def mixture(chances: list[tuple[Certified, Fraction]]) -> Certified:
    """The sum of the probabilities, each times its weight."""

    def ball(precision: int) -> arb:
        balls = [(chance.ball(precision + 16), quotient(w)) for chance, w in chances]
        with ctx.workprec(precision + 16):
            return sum((chance * arb(weight) for chance, weight in balls), arb(0))

    return chances[0][0] if len(chances) == 1 else Certified(ball, probability=True)


def partitions(counts: Kinds, groups: int, size: int) -> dict[tuple[Kinds, ...], int]:
    """The partitions into groups of one size, by the sorted kinds in the groups, and in how many ways each arises.

    *Raises* `InputError` for too many of them.

    >>> partitions((2, 2), 2, 2)
    {((0, 2), (2, 0)): 2, ((1, 1), (1, 1)): 4}
    """
    found: dict[tuple[Kinds, ...], int] = {}
    for chosen in sorted_groups(counts, groups, size, ()):
        if len(found) >= MOST_PARTITIONS:
            raise InputError(f"the partitions are too many: more than {MOST_PARTITIONS} kinds of them for this D")
        ways = factorial(groups)
        for repeated in Counter(chosen).values():
            ways //= factorial(repeated)
        left = counts
        for group in chosen:
            for i, n in enumerate(group):
                ways *= comb(left[i], n)
            left = tuple(have - n for have, n in zip(left, group, strict=True))
        found[chosen] = ways
    return found


def sorted_groups(counts: Kinds, groups: int, size: int, least: Kinds) -> Iterator[tuple[Kinds, ...]]:
    """The ways to divide the counts among groups, the groups in ascending order."""
    if groups == 0:
        yield ()
        return
    for group in selections(counts, size):
        if group >= least:
            left = tuple(have - n for have, n in zip(counts, group, strict=True))
            for rest in sorted_groups(left, groups - 1, size, group):
                yield (group, *rest)


def selections(counts: Kinds, size: int) -> Iterator[Kinds]:
    """The ways to take `size` elements from the kinds."""
    if len(counts) == 1:
        if size <= counts[0]:
            yield (size,)
        return
    for n in range(max(0, size - sum(counts[1:])), min(counts[0], size) + 1):
        for rest in selections(counts[1:], size - n):
            yield (n, *rest)


# The least number of samples of the compressed tester: floats search, the exact law decides.


CANDIDATES = 3
COPIES = (1, 3)


def candidates(k: int, lam: Real, m: int) -> list[Tester]:
    """Testers with k_hat near 8m/lam, and one or three copies.

    At 4m/lam samples and noise contribute alike; with more groups the partitions vary less.

    >>> [(one.k_hat, one.copies, one.votes) for one in candidates(12, real(40), 30)]
    [(6, 1, 1), (6, 3, 1), (6, 3, 2), (4, 1, 1), (4, 3, 1), (4, 3, 2), (3, 1, 1), (3, 3, 1), (3, 3, 2)]
    """
    best = max(2.0, 8 * m / float(lam))
    divisors = [h for h in range(2, k // 2 + 1) if k % h == 0]
    nearest = sorted(divisors, key=lambda h: max(h / best, best / h))[:CANDIDATES]
    rules = [(copies, votes) for copies in COPIES for votes in range(1, copies // 2 + 2)]
    return [Tester(h, lam, copies, votes) for h in nearest for copies, votes in rules]


def cheapest(
    k: int, lam: Real, m: int, far: Distribution, progress: Callable[[str], None] = lambda text: None
) -> tuple[Tester, int] | None:
    """The tester of the candidates that needs the fewest samples, by floats, and its certified m; None without any.

    Those that need more than m are looked at only where all do, up to 16 m.
    """
    testers = candidates(k, lam, m)
    for most in (m, 2 * m, 4 * m, 16 * m):
        found, least = [], most
        for tester in testers:
            progress(f"{tester.k_hat} groups, copies = {tester.copies}")
            guess = tester.least_float(least, far)
            if guess is not None:
                found.append((guess, tester))
                least = min(least, guess)
        if found:
            guess, tester = min(found, key=lambda pair: (pair[0], pair[1].copies * pair[1].k_hat))
            progress(f"m = {guess}")
            while not tester.works(real(guess), far):
                guess += tester.copies * tester.k_hat
                progress(f"m = {guess}")
            return tester, guess
    return None
