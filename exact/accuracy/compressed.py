"""The tester on groups: the law of Z' over a random partition into groups of equal size, as well.

The groups of a uniform distribution are uniform, so nothing is random about them.  For any other distribution the
partitions are enumerated by the kinds of elements in each group, where there are few kinds of partitions.  A group's
padding elements have the probability 1/K each, K the padded size, and every other probability is scaled by k/K.

For two probabilities and groups that divide the domain, partitions may be many.  A uniformly random partition of
c_0 + c_1 = K elements of two kinds into groups of s: give each group Bin(s, f) elements of the second kind,
independently, f = c_1/K; given that they are c_1 in all, that is the law of the partition's kinds.  So with z marking
elements of the second kind, the law of T and the partition together is the coefficient of z^(c_1) in

    (sum over a of C(s, a) f^a (1-f)^(s-a) z^a law_a)^(k_hat) / P[Bin(K, f) = c_1],

law_a the law of the term of a group with a elements of the second kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, factorial, sqrt
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpz_poly
from panshuffle.exact.accuracy.tester import chance_bounds, interval, moments, spectrum, tail_ends, uniform_law
from panshuffle.exact.accuracy.uniformity import Distribution, Statistic, fixed_chance
from panshuffle.exact.errors import InputError, ParameterError, Undecided
from panshuffle.exact.laws.integer_law import IntegerLaw
from panshuffle.exact.parameters import THIRD, refuse_if, threshold
from panshuffle.exact.real import Certified, Real, quotient, real, span

if TYPE_CHECKING:
    from panshuffle.exact.accuracy.tester import Spectrum


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
        if self.m.fraction is None:
            return False
        groups = self.on_groups
        b, step = groups.scale()[1], groups.step()[1]
        spread = sqrt(float(moments(groups)[1])) * float(self.m) / self.k_hat
        return 320 * b / step * spread * self.k**2 <= MOST_WORK

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
        import numpy as np
        from panshuffle.exact.accuracy.tester import FREQUENCIES, PERIOD, Spectrum, count_float

        k, h, m, lam, s = self.k, self.k_hat, float(self.m), float(self.lam), self.k // self.k_hat
        mu, second = m / h, self.law[1][1]
        norm = float(sum(count * (p - Fraction(1, k)) ** 2 for p, count in self.law)) * s * (h - 1) / (k - 1)
        mean = (m * m * norm + h * lam / 4) / mu
        noise = h * (2 * (mu + lam / 4) ** 2 + 5 * lam / 16) + (2 + 4 * mu + lam) * m * m * norm
        sd = sqrt(noise + 2 * (m * m * norm) ** 2 / (h - 1)) / mu
        half = np.linspace(0.5, FREQUENCIES - 0.5, FREQUENCIES, dtype=np.float64)
        parts = np.zeros((s + 1, FREQUENCIES), dtype=np.complex128)
        for a, (p, weight) in enumerate(zip(self.chances(), self.weights(), strict=True)):
            w, masses = count_float(m * float(p), lam)
            x = (((w / 2 - mu) ** 2 - w / 2) / mu - mean / h) / sd
            keep = masses > 1e-12
            turns = np.exp(1j * np.outer(half * (2 * np.pi / PERIOD), x[keep]))
            parts[a] = float(weight) * turns.dot(masses[keep] / masses[keep].sum())
        roots = np.exp(2j * np.pi * np.arange(k + 1) / (k + 1))
        powers = (roots[:, None] ** np.arange(s + 1)[None, :]) @ parts
        found = (powers**h * roots[:, None] ** (-second)).mean(axis=0)
        block = comb(k, second) * float(self.share) ** second * float(1 - self.share) ** (k - second)
        return Spectrum(mean, sd, half, found / block)


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


BITS, CUT = (36, 72, 144, 288), 12
CANDIDATES = 3
COPIES = (1, 3)


@dataclass(frozen=True)
class CompressedTester:
    """k_hat groups, copies that vote, the noise, and the repaired threshold for every m; m is that of all copies."""

    k_hat: int
    copies: int
    votes: int
    lam: Real
    far: Distribution

    def statistics(self, m: int) -> tuple[Statistic, TwoKinds]:
        """The statistic of one copy on uniform and on far samples."""
        one = real(m) / self.copies
        return Statistic(one, self.lam, uniform_law(self.k_hat)), TwoKinds(one, self.lam, self.k_hat, self.far)

    def works(self, m: int) -> bool:
        """Whether both errors are at most 1/3, by the exact laws at growing precision.  *Raises* `Undecided`."""
        flat, far = self.statistics(m)
        tau = threshold(self.k_hat, self.lam, real(m) / self.copies)
        return self.is_at_least(far, tau, 1 - THIRD) and not self.is_at_least(flat, tau, THIRD)

    def is_at_least(self, of: Statistic | TwoKinds, tau: Real, limit: Fraction) -> bool:
        """Whether the copies say "not uniform" with at least this probability."""
        for bits in BITS:
            one = of.chance_ball(tau, bits, bits - CUT)
            with ctx.workprec(bits):
                ends = tail_ends([(one, self.copies)], self.votes)
                low, high = (end * limit.denominator - limit.numerator for end in ends)
            if low > 0 or high < 0:
                return bool(low > 0)
        raise Undecided(f"whether a probability is at least {limit} is not decided with {bits} bits")

    def seems_to_work(self, m: int) -> bool:
        """The same in floating point, for a search."""
        flat, far = self.statistics(m)
        tau = float(threshold(self.k_hat, self.lam, real(m) / self.copies))
        both = [tail_float(self.copies, of.chance_above(tau), self.votes) for of in (spectrum(flat), far.spectrum())]
        return both[0] <= THIRD and both[1] >= 1 - THIRD

    def least_float(self, most: int) -> int | None:
        """About the least multiple of copies * k_hat that works, up to a given m.

        None where that does not work, or where its exact law is too large.
        """
        unit = self.copies * self.k_hat
        low, high = 0, -(-most // unit)
        if not self.statistics(unit * high)[1].is_small() or not self.seems_to_work(unit * high):
            return None
        while high - low > 1:
            middle = (low + 3 * high) // 4 if low == 0 else (low + high) // 2
            low, high = (low, middle) if self.seems_to_work(unit * middle) else (middle, high)
        return unit * high

    def least(self, guess: int, progress: Callable[[str], None]) -> int:
        """The first multiple of copies * k_hat from the guess on that is certified to work."""
        m = guess
        progress(f"m = {m}")
        while not self.works(m):
            m += self.copies * self.k_hat
            progress(f"m = {m}")
        return m


def tail_float(copies: int, p: float, votes: int) -> float:
    """P[Bin(copies, p) >= votes] in floating point."""
    return sum(comb(copies, i) * p**i * (1 - p) ** (copies - i) for i in range(votes, copies + 1))


def candidates(k: int, lam: Real, m: int, far: Distribution) -> list[CompressedTester]:
    """Testers with k_hat near 8m/lam, and one or three copies.

    At 4m/lam samples and noise contribute alike; with more groups the partitions vary less.

    >>> law = ((Fraction(1, 24), 6), (Fraction(1, 8), 6))
    >>> [(one.k_hat, one.copies, one.votes) for one in candidates(12, real(40), 30, law)]
    [(6, 1, 1), (6, 3, 1), (6, 3, 2), (4, 1, 1), (4, 3, 1), (4, 3, 2), (3, 1, 1), (3, 3, 1), (3, 3, 2)]
    """
    best = max(2.0, 8 * m / float(lam))
    divisors = [h for h in range(2, k // 2 + 1) if k % h == 0]
    nearest = sorted(divisors, key=lambda h: max(h / best, best / h))[:CANDIDATES]
    rules = [(copies, votes) for copies in COPIES for votes in range(1, copies // 2 + 2)]
    return [CompressedTester(h, copies, votes, lam, far) for h in nearest for copies, votes in rules]


def cheapest(
    k: int, lam: Real, m: int, far: Distribution, progress: Callable[[str], None] = lambda text: None
) -> tuple[CompressedTester, int] | None:
    """The tester of the candidates that needs the fewest samples, by floats, and its certified m; None without any.

    Those that need more than m are looked at only where all do, up to 16 m.
    """
    testers = candidates(k, lam, m, far)
    for most in (m, 2 * m, 4 * m, 16 * m):
        found, least = [], most
        for tester in testers:
            progress(f"{tester.k_hat} groups, copies = {tester.copies}")
            guess = tester.least_float(least)
            if guess is not None:
                found.append((guess, tester))
                least = min(least, guess)
        if found:
            guess, tester = min(found, key=lambda pair: (pair[0], pair[1].copies * pair[1].k_hat))
            return tester, tester.least(guess, progress)
    return None
