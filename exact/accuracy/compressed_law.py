"""The exact law of the compressed tester for a distribution with two probabilities, where partitions are many.

A uniformly random partition of c_0 + c_1 = K elements of two kinds into groups of s: give each group Bin(s, f) elements
of the second kind, independently, f = c_1/K; given that they are c_1 in all, that is the law of the partition's kinds.
So with z marking elements of the second kind, the law of T and the partition together is the coefficient of z^(c_1) in

    (sum over a of C(s, a) f^a (1-f)^(s-a) z^a law_a)^(k_hat) / P[Bin(K, f) = c_1],

law_a the law of the term of a group with a elements of the second kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, sqrt

from flint import arb, fmpz_poly

from exact.accuracy.tester import moments
from exact.accuracy.tester_float import FREQUENCIES, PERIOD, Spectrum, count_float
from exact.accuracy.uniformity import Statistic
from exact.errors import ParameterError
from exact.laws.integer_law import IntegerLaw
from exact.numbers.certified import Certified, span
from exact.numbers.real import Real

MOST_ELEMENTS = 200
MOST_WORK = 3_000_000_000

Laws = list[IntegerLaw | None]
"""The law for each number of elements of the second kind, None for none."""


@dataclass(frozen=True)
class TwoKinds:
    """k_hat groups of equal size for a distribution with two probabilities, ((p_0, c_0), (p_1, c_1))."""

    m: Real
    lam: Real
    k_hat: int
    law: tuple[tuple[Fraction, int], ...]

    def __post_init__(self) -> None:
        if len(self.law) != 2 or self.k % self.k_hat:
            raise ParameterError("k-hat", self.k_hat, "a divisor of k, for a distribution with two probabilities")
        if self.k > MOST_ELEMENTS:
            raise ParameterError("k", self.k, f"at most {MOST_ELEMENTS}, for the law over all partitions")

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
            pieces.append(IntegerLaw(one.masses * other.masses, one.first + other.first, one.bits))
    if not pieces:
        return None
    total = reduce(IntegerLaw.added, pieces)
    found = total.rounded(total.masses, total.first)
    return found.cut() if found.masses.degree() >= 0 else None
