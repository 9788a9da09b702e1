"""The tester's law for a fixed number n of samples in place of Pois(m).

The counts are multinomial: given how many samples are left, the next element gets a binomial number of them.  A state
is the number left and the law of the part of T that is known, times the probability of that number left.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from exact.accuracy.uniformity import Statistic
from exact.errors import ParameterError
from exact.laws.integer_law import IntegerLaw, point, poisson_floor
from exact.numbers.certified import Certified

MOST_STEPS = 20_000


def fixed_chance(of: Statistic, n: int, least: int) -> Certified:
    """P[T >= least] on the lattice of `of`, for n samples.  *Raises* `ParameterError` where that takes too long."""
    if n < 0 or n * n * of.k > MOST_STEPS:
        raise ParameterError("n", n, f"such that n^2 k is at most {MOST_STEPS}, for a fixed number of samples")

    return Certified(lambda precision: fixed_law(of, n, precision + 24).chance(least), probability=True)


@lru_cache(maxsize=4)
def fixed_law(of: Statistic, n: int, bits: int) -> IntegerLaw:
    """The law of T for n samples, as an index on its lattice.

    >>> from exact.accuracy.tester import uniform_law
    >>> from exact.numbers.real import real
    >>> law = fixed_law(Statistic(real(2), real(1), uniform_law(2)), 3, 60)
    >>> 2**60 - law.total() < 2**20
    True
    """
    terms = terms_given(of, n, bits)
    states, rest = {n: point(0, bits)}, Fraction(1)
    for p in [p for p, count in of.law for _ in range(count)]:
        found: dict[int, IntegerLaw] = {}
        for left, law in states.items():
            for c, mass in enumerate(binomial_masses(left, p / rest if rest else Fraction(0), bits)):
                if mass:
                    piece = law.plus(terms[c]).weighted(mass)
                    found[left - c] = found[left - c].added(piece) if left - c in found else piece
        states, rest = found, rest - p
    return states[0]


def terms_given(of: Statistic, most: int, bits: int) -> list[IntegerLaw]:
    """The law of an element's term, as an index on the lattice, given that it has 0, 1, ..., `most` samples."""
    noise = poisson_floor(of.lam / 2, bits)
    spread, index = noise.plus(noise.image(lambda q: -q)), of.index_function()
    return [spread.moved(2 * c).image(index) for c in range(most + 1)]


def binomial_masses(n: int, q: Fraction, bits: int) -> list[int]:
    """The masses of Bin(n, q) in units of 2^-bits, rounded down."""
    top, bottom = q.numerator, q.denominator
    return [(comb(n, c) * top**c * (bottom - top) ** (n - c) << bits) // bottom**n for c in range(n + 1)]
