"""P[T >= least] from few frequencies against exact convolutions, and against the convolution of the tester's law."""

from fractions import Fraction

import pytest
from flint import fmpz_poly
from hypothesis import example, given, settings
from hypothesis import strategies as st
from panshuffle.exact.accuracy.tester import Term, chance_at_least, paired_law, uniform_law
from panshuffle.exact.accuracy.uniformity import Statistic, statistic, total_law
from panshuffle.exact.parameters import threshold
from panshuffle.exact.real import dyadic, real

BITS = 40
LAWS = st.dictionaries(st.integers(-20, 60), st.integers(1, 1 << BITS), min_size=2, max_size=6)


def scaled(masses: dict[int, int], total: int) -> dict[int, int]:
    """The masses in proportion, from below, so that they sum to at most `total`."""
    whole = sum(masses.values())
    return {x: mass * total // whole for x, mass in masses.items() if mass * total // whole}


def tail(terms: list[Term], least: int) -> Fraction:
    """Q[T >= least] by multiplying polynomials."""
    product, first, count = fmpz_poly([1]), 0, 0
    for term in terms:
        low = min(term.masses)
        product *= fmpz_poly([term.masses.get(x, 0) for x in range(low, max(term.masses) + 1)]) ** term.count
        first, count = first + low * term.count, count + term.count
    return Fraction(int(sum(product.coeffs()[max(0, least - first) :])), 1 << BITS * count)


@example([({0: 1, 34: 7815341}, 60), ({0: 7815076, 60: 7, -1: 332}, 60)], 9.0, False)
@given(st.lists(st.tuples(LAWS, st.integers(1, 60)), min_size=1, max_size=3), st.floats(-9, 9), st.booleans())
@settings(deadline=None, max_examples=30)
def test_frequencies_enclose_the_convolution(kinds, deviations, lossy):
    total = (1 << BITS) - (1 << 20 if lossy else 0)
    terms = [Term(scaled(masses, total), count) for masses, count in kinds]
    mean, square = (sum(t.count * sum(x**n * m / total for x, m in t.masses.items()) for t in terms) for n in (1, 2))
    least = int(mean + deviations * square**0.5)
    ball = chance_at_least(terms, BITS, least, 1e-9)
    if ball is None:  # its frequencies hardly fade, as those of a sum that is nearly constant; the tester's do, below
        return
    below, everything = tail(terms, least), tail(terms, -(10**9))
    low, high = dyadic(ball) - dyadic(ball.rad()), dyadic(ball) + dyadic(ball.rad())
    assert low <= below
    assert below + 1 - everything <= high
    assert high - low < Fraction(3, 10**9) + 2 * (1 - everything)


LAW_OF_TWO = ((Fraction(1, 100), 50), (Fraction(1, 50), 25))


@pytest.mark.parametrize("law", [uniform_law(40), uniform_law(200), paired_law(60, Fraction(1, 4)), LAW_OF_TWO])
@pytest.mark.parametrize("lam", ["20", "61/2"])
def test_the_tester_by_frequencies_is_the_tester_by_convolution(law, lam):
    of = Statistic(real(8 * sum(count for _, count in law)), real(lam), law)
    tau = threshold(of.k, of.lam, of.m)
    for shift in (-30, 0, 5, 40):
        least = of.least_rejected(tau + shift)
        quick = of.quick_chance(least, 56, 40)
        slow = total_law(of, 56, 40).chance(least)
        assert quick is not None
        assert quick.overlaps(slow)
        assert quick.rad() < 1e-9 + 2 * slow.rad()


@pytest.mark.parametrize("bits", [1, 2, 7, 10, 16])
def test_few_bits_are_no_trouble(bits):
    chance = statistic(real(64), real("1/2"), [Fraction(1, 32)] * 32).chance_above(real(3))
    assert chance.ball(bits).overlaps(chance.ball(60))
