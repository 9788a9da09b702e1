"""The pair of binomial pools against the definition of the divergence, summed over all outcomes."""

from fractions import Fraction
from math import comb

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.pairs.opposite_shifts import (
    binomial_boundary,
    binomial_pair_delta,
    binomial_pair_delta_exact,
    boundary_delta,
)
from panshuffle.exact.real import exp, log, real

from tests.every import every
from tests.unit.test_shift import FACTORS, masses
from tests.unit.test_tails import CHANCES, contains, encloses


def divergence(law: list, factor) -> list:
    """The positive parts of b(x-1) b(y) - E b(x) b(y-1), over all x and y."""
    (moved, still) = ([0, *law], [*law, 0])
    return [
        max(moved[x] * still[y] - factor * still[x] * moved[y], 0) for x in range(len(still)) for y in range(len(still))
    ]


@given(st.integers(0, 12), CHANCES, FACTORS)
@settings(deadline=None)
def test_both_ways_give_the_sum_over_all_outcomes(l, p, factor):
    expected = Fraction(sum(divergence(masses(l, Fraction(p)), factor)))
    assert binomial_pair_delta_exact(l, Fraction(p), factor) == expected
    assert encloses(binomial_pair_delta(l, real(p), real(factor), 80), expected, 90)


@given(
    st.integers(1, 60),
    st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9),
    FACTORS,
    st.integers(-30, 20),
)
@settings(deadline=None)
def test_a_window_that_leaves_out_much_still_encloses(l, p, factor, bits):
    ball = boundary_delta(binomial_boundary(l, real(p), real(factor)), real(factor), bits)
    assert contains(ball, binomial_pair_delta_exact(l, p, factor))


@given(st.integers(1, 30), st.integers(0, 30), FACTORS)
def test_the_threshold_is_the_last_point_whose_ratio_is_not_above(l, y, factor):
    y = min(y, l)
    below = [x for x in range(l + 1) if x * (l + 1 - y) <= factor * y * (l + 1 - x)]
    threshold = binomial_boundary(l, real("1/2"), real(factor)).threshold
    assert threshold(factor.numerator, factor.denominator, y) == below[-1]


def test_known_values():
    assert binomial_pair_delta_exact(12, Fraction(1, 2), Fraction(9, 4)) == Fraction(3364315, 33554432)
    assert binomial_pair_delta(0, real("1/3"), real(5), 53) == 1
    assert binomial_pair_delta(7, real(0), real(5), 53) == 1
    assert binomial_pair_delta(7, real(1), real(5), 53) == 1


def test_ties_that_no_precision_decides_are_enclosed():
    hidden = exp(log(2) + log(3)) / 3
    assert hidden.fraction is None
    expected = Fraction(sum(divergence(masses(11, Fraction(1, 3)), 2)))
    assert encloses(binomial_pair_delta(11, real("1/3"), hidden, 80), expected, 90)


@every("p", ["1/2", "1e-9", "1-1e-9", "3/7"])
@every("eps", ["1e-9", "1/10", "1", "20", "700"])
def test_irrational_factors_from_tiny_to_huge(p, eps):
    l, chance, exponent = 60, real(p).fraction, real(eps).fraction
    with mpmath.workdps(90):
        rate = mpmath.mpf(chance.numerator) / chance.denominator
        factor = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        law = [comb(l, x) * rate**x * (1 - rate) ** (l - x) for x in range(l + 1)]
        expected = mpmath.fsum(divergence(law, factor))
    assert encloses(binomial_pair_delta(l, real(p), exp(real(eps)), 100), expected, 110)


@pytest.mark.parametrize(("l", "p", "factor"), [(400, "1/2", "5/4"), (600, "1/5", "3/2"), (300, "1/2", "50")])
def test_middling_laws_against_the_rational_value(l, p, factor):
    expected = binomial_pair_delta_exact(l, Fraction(p), Fraction(factor))
    assert encloses(binomial_pair_delta(l, real(p), real(factor), 200), expected, 210)


@pytest.mark.parametrize(
    ("l", "p", "eps"),
    [
        (10**4, "1/2", "1/10"),
        (10**4, "1/7", "1/5"),
        pytest.param(5 * 10**4, "1/2", "1/20", marks=pytest.mark.long),
    ],
)
def test_large_laws_against_all_their_rows(l, p, eps):
    chance, exponent = Fraction(p), Fraction(eps)
    with mpmath.workdps(85):
        odds = mpmath.mpf(chance.numerator) / (chance.denominator - chance.numerator)
        factor = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        law = [(1 - mpmath.mpf(chance.numerator) / chance.denominator) ** l]
        for x in range(l):
            law.append(law[-1] * (l - x) * odds / (x + 1))
        tails = [mpmath.mpf(0)]
        for mass in reversed(law):
            tails.append(tails[-1] + mass)
        tails.reverse()
        expected = law[0]
        for y in range(1, l + 1):
            t = int(mpmath.floor(factor * y * (l + 1) / (l + 1 - y + factor * y)))
            expected += law[y] * tails[t] - factor * law[y - 1] * tails[t + 1]
    assert encloses(binomial_pair_delta(l, real(p), exp(real(eps)), 80), expected, 90)


@pytest.mark.parametrize(("l", "p", "factor"), [(-1, "1/2", "2"), (3, "2", "2"), (3, "1/2", "0")])
def test_parameters_outside_their_domain_are_refused(l, p, factor):
    with pytest.raises(ParameterError):
        binomial_pair_delta(l, real(p), real(factor), 53)
