"""The uniformity tester's two errors, by its exact law or by its moments, its thresholds, the samples it needs.

The least number of samples is searched for in floats and decided by balls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, lgamma, log
from math import sqrt as float_sqrt
from operator import mul

import numpy as np
import numpy.typing as npt
from flint import arb, arb_poly, ctx, fmpq, fmpq_poly, fmpz
from panshuffle.exact.accuracy.uniformity import Distribution, Statistic, total_law
from panshuffle.exact.errors import ParameterError, Undecided
from panshuffle.exact.laws.integer_law import Doubles, light
from panshuffle.exact.parameters import THIRD, check_count, check_open_unit, refuse_if, threshold, threshold_as_printed
from panshuffle.exact.real import Certified, Real, as_fraction, exp, quotient, real, sqrt

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


def is_at_most(of: Statistic, tau: Real, limit: Fraction, above: bool) -> bool:
    """Whether P[Z' > tau] (or, for `above` False, P[Z' <= tau]) is at most the limit.

    The moments decide where they can, the exact law at growing precision elsewhere.  *Raises* `Undecided`.
    """
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
        chance = of.chance_ball(tau, bits, bits - CUT)
        with ctx.workprec(bits):
            gap = (chance if above else 1 - chance) * limit.denominator - limit.numerator
        if gap < 0 or gap > 0:
            return bool(gap < 0)
    raise Undecided(f"whether an error probability is at most {limit} is not decided with {bits} bits")


def best_threshold(k: int, lam: Real, m: Real, limit: Fraction = THIRD) -> Real:
    """The least threshold with P["not uniform"] <= limit under the uniform distribution, a value of the statistic.

    No threshold with that type I error has a smaller type II error, whatever the alternative.  *Raises* `Undecided`.

    >>> best_threshold(2, real(10), real(16)).fraction
    Fraction(31, 32)
    """
    of = Statistic(m, lam, uniform_law(k))
    for bits in BITS:
        law = total_law(of, bits, bits - CUT)
        allowed = (limit.numerator << bits) // limit.denominator
        count, above = light(reversed(law.masses.coeffs()), fmpz(allowed + 1))
        if above + (1 << bits) - law.total() <= allowed:
            return of.threshold_at(law.first + law.masses.degree() - count)
    raise Undecided(f"the threshold is not decided with {bits} bits")


@dataclass(frozen=True)
class Tester:
    """k elements, noise lam, and a threshold for every m, also about in floating point where that is found faster."""

    k: int
    lam: Real
    tau: Callable[[Real], Real]
    tau_float: Callable[[Real], float] | None = None

    def works(self, m: Real, far: Distribution, limit: Fraction = THIRD) -> bool:
        """Whether both errors are at most the limit."""
        tau = self.tau(m)
        return is_at_most(Statistic(m, self.lam, far), tau, limit, False) and is_at_most(
            Statistic(m, self.lam, uniform_law(self.k)), tau, limit, True
        )

    def seems_to_work(self, m: Real, far: Distribution, limit: Fraction = THIRD) -> bool:
        """The same in floating point, for a search."""
        tau = float(self.tau(m)) if self.tau_float is None else self.tau_float(m)
        if 1 - spectrum(Statistic(m, self.lam, far)).chance_above(tau) > limit:
            return False
        return spectrum(Statistic(m, self.lam, uniform_law(self.k))).chance_above(tau) <= limit + Fraction(1, 10**6)


def repaired(k: int, lam: Real) -> Tester:
    """The tester with the threshold of uniformity-tester-theorem."""
    return Tester(k, lam, lambda m: threshold(k, lam, m))


def printed(k: int, lam: Real, alpha: Real) -> Tester:
    """The tester with the printed threshold."""
    check_open_unit("alpha", alpha)
    return Tester(k, lam, lambda m: threshold_as_printed(k, lam, m, alpha))


def optimal(k: int, lam: Real, limit: Fraction = THIRD) -> Tester:
    """The tester with the least threshold that keeps the type I error at the limit."""
    return Tester(
        k,
        lam,
        lambda m: best_threshold(k, lam, m, limit),
        lambda m: spectrum(Statistic(m, lam, uniform_law(k))).upper_quantile(float(limit)),
    )


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


def least_samples(
    tester: Tester,
    far: Distribution,
    limit: Fraction = THIRD,
    progress: Callable[[str], None] = lambda text: None,
) -> SampleSize:
    """The least m found at which both errors are at most the limit, for Pois(m) samples of the uniform and of `far`.

    Feasibility need not be monotone in m: where 64 samples seem to be enough, every m from 1 on is tried; beyond, the
    boundary is found in floating point by doubling and bisection, and moved until the exact law confirms both sides.
    *Raises* `ParameterError` where no m up to 2^40 will do.
    """
    if not tester.seems_to_work(real(FEW_SAMPLES), far, limit):
        return certified_boundary(tester, far, limit, boundary_float(tester, far, limit), progress)
    for few in range(1, FEW_SAMPLES + 1):
        progress(f"m = {few}")
        if tester.works(real(few), far, limit):
            return SampleSize(few, True)
    return certified_boundary(tester, far, limit, FEW_SAMPLES + 1, progress)


def boundary_float(tester: Tester, far: Distribution, limit: Fraction) -> int:
    """An m that seems to work where m - 1 does not."""
    low, high = FEW_SAMPLES, 2 * FEW_SAMPLES
    while not tester.seems_to_work(real(high), far, limit):
        low, high = high, 2 * high
        if high > MOST_SAMPLES:
            raise ParameterError("m", f"above {MOST_SAMPLES}", "found within the limit: the alternative is too close")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tester.seems_to_work(real(middle), far, limit) else (middle, high)
    return high


def certified_boundary(
    tester: Tester, far: Distribution, limit: Fraction, guess: int, progress: Callable[[str], None]
) -> SampleSize:
    """The boundary next to a guess, both sides of it certified."""
    m = guess

    def works(value: int) -> bool:
        progress(f"m = {value}")
        return tester.works(real(value), far, limit)

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


PERIOD, FREQUENCIES = 40.0, 320


def poisson_float(mu: float) -> tuple[int, Doubles]:
    """The masses of Pois(mu) eight standard deviations around its mean, and where they begin."""
    reach = 8 * float_sqrt(mu) + 20
    first = max(0, int(mu - reach))
    x = np.arange(first, int(mu + reach) + 1, dtype=np.float64)
    if mu <= 0:
        return 0, np.ones(1)
    logs = -mu + x * log(mu) - np.array([lgamma(v + 1) for v in x])
    return first, np.exp(logs)


def count_float(nu: float, lam: float) -> tuple[Doubles, Doubles]:
    """The values and masses of W = 2c + P - Q."""
    (c0, c), (p0, p) = poisson_float(nu), poisson_float(lam / 2)
    twice = np.zeros(2 * len(c) - 1)
    twice[::2] = c
    masses = np.convolve(np.convolve(twice, p), p[::-1])
    first = 2 * c0 + p0 - (p0 + len(p) - 1)
    return np.arange(first, first + len(masses), dtype=np.float64), masses


@dataclass(frozen=True)
class Spectrum:
    """Mean and standard deviation of Z', and its characteristic function where it is read, in standard units."""

    mean: float
    sd: float
    half: Doubles
    phi: npt.NDArray[np.complex128]

    def chance_above(self, tau: float) -> float:
        """P[Z' > tau], to a few digits."""
        t = self.half * (2 * np.pi / PERIOD)
        turned = self.phi * np.exp(-1j * t * ((tau - self.mean) / self.sd))
        return float(min(1.0, max(0.0, 0.5 + np.sum(turned.imag / self.half) / np.pi)))

    def upper_quantile(self, chance: float) -> float:
        """About the least tau with P[Z' > tau] <= chance."""
        low, high = self.mean - 5 * self.sd, self.mean + 10 * self.sd
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.chance_above(middle) > chance else (low, middle)
        return high


@lru_cache(maxsize=8)
def spectrum(of: Statistic) -> Spectrum:
    """The spectrum of Z'."""
    mu, lam = float(of.m / of.k), float(of.lam)
    parts, mean, variance = [], 0.0, 0.0
    for p, count in of.law:
        w, masses = count_float(float(of.m * p), lam)
        masses = masses / masses.sum()
        x = ((w / 2 - mu) ** 2 - w / 2) / mu
        centre = float(np.dot(masses, x))
        x = x - centre
        mean, variance = mean + count * centre, variance + count * float(np.dot(masses, x * x))
        parts.append((x, masses, count))
    half: Doubles = np.linspace(0.5, FREQUENCIES - 0.5, FREQUENCIES, dtype=np.float64)
    phi = np.ones(FREQUENCIES, dtype=np.complex128)
    for x, masses, count in parts:
        phi *= np.exp(1j * np.outer(half * (2 * np.pi / PERIOD), x / float_sqrt(variance))).dot(masses) ** count
    return Spectrum(mean, float_sqrt(variance), half, phi)


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


def votes_needed(copies: int, p: Fraction = THIRD, limit: Fraction = THIRD) -> int:
    """The least number of votes with P[Bin(copies, p) >= votes] <= limit, so that the type I error is at most that.

    A copy with the repaired threshold errs with at most p = 1/3 on uniform samples, whatever its m and lam.

    >>> [votes_needed(copies) for copies in (1, 2, 3, 5, 9, 15)]
    [1, 2, 2, 3, 5, 7]
    >>> votes_needed(5, Fraction(1, 21))
    1
    """
    check_copies(copies)
    top, bottom = p.numerator, p.denominator
    total, votes = 0, copies + 1
    while votes > 0:
        total += comb(copies, votes - 1) * top ** (votes - 1) * (bottom - top) ** (copies - votes + 1)
        if Fraction(total, bottom**copies) > limit:
            break
        votes -= 1
    return max(votes, 1)


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
            low, high = tail_ends(chances, votes)
            return low.union(high)

    return Certified(ball, probability=True)


def exact_tail(parts: Sequence[tuple[Fraction, int]], votes: int) -> Fraction:
    """The same for rational chances."""
    law = reduce(mul, (fmpq_poly([quotient(1 - p), quotient(p)]) ** count for p, count in parts))
    return as_fraction(sum((law[i] for i in range(votes, law.degree() + 1)), fmpq(0)))


def tail_ends(parts: Sequence[tuple[arb, int]], votes: int) -> tuple[arb, arb]:
    """The tails at the lower ends of the chances, at least 0, and at their upper ends, at most 1."""
    low = [(chance.lower().max(arb(0)), count) for chance, count in parts]
    high = [(chance.upper().min(arb(1)), count) for chance, count in parts]
    return tail_ball(low, votes), tail_ball(high, votes)


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
