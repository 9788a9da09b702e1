"""The law of the transformed tester's statistic: the stream's elements among uniform dummies.

Q_P analyzes n executions of R_UT.  The first n' = min(Bin(n, 2/9), floor(n/3)) elements of the stream are among them,
samples of D; the other n - n' hold uniform elements.  Every pool has the noise of all n executions, Pois(lam).  A state
is (samples of D left, uniform elements left) and the law of the part of T that is known, times the probability of both.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from exact.accuracy.fixed_samples import binomial_masses, fixed_chance, terms_given
from exact.accuracy.uniformity import Statistic
from exact.errors import ParameterError
from exact.laws.integer_law import IntegerLaw, point
from exact.numbers.certified import Certified

MOST_STEPS = 40_000

Left = tuple[int, int]


def transformed_chance(of: Statistic, n: int, least: int) -> Certified:
    """P[T >= least] on the lattice of `of` for Q_P on n executions and a stream of floor(n/3) samples.

    *Raises* `ParameterError` where that takes too long.
    """
    if n < 3:
        raise ParameterError("n", n, "at least 3, so that the stream has an element")
    if len(of.law) == 1:
        return fixed_chance(of, n, least)
    if n**4 * of.k > 36 * MOST_STEPS:
        raise ParameterError("n", n, f"such that n^4 k is at most {36 * MOST_STEPS}, for the transformed tester")

    return Certified(lambda precision: transformed_law(of, n, precision + 24).chance(least), probability=True)


def used_law(n: int) -> list[Fraction]:
    """The masses of n' = min(Bin(n, 2/9), floor(n/3)).

    >>> [str(mass) for mass in used_law(3)]
    ['343/729', '386/729']
    """
    masses = [Fraction(comb(n, used) * 2**used * 7 ** (n - used), 9**n) for used in range(n + 1)]
    return [*masses[: n // 3], sum(masses[n // 3 :], Fraction(0))]


@lru_cache(maxsize=4)
def transformed_law(of: Statistic, n: int, bits: int) -> IntegerLaw:
    """The law of T, as an index on its lattice.

    >>> from exact.accuracy.tester import paired_law
    >>> from exact.numbers.real import real
    >>> law = transformed_law(Statistic(real(3), real(1), paired_law(2, Fraction(1, 4))), 3, 60)
    >>> 2**60 - law.total() < 2**20
    True
    """
    terms = terms_given(of, n, bits)
    states: dict[Left, IntegerLaw] = {}
    for used, mass in enumerate(used_law(n)):
        states[used, n - used] = point(0, bits).weighted((mass.numerator << bits) // mass.denominator)
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
