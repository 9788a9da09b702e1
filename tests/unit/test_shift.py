"""The shift family against the definition of the divergence, summed over all points."""

from fractions import Fraction
from math import comb

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.real import exp, log, real
from panshuffle.exact.views.binomial import shift_cut, shift_delta, shift_delta_exact

from tests.every import every
from tests.unit.test_tails import CHANCES, encloses

FACTORS = st.one_of(
    st.sampled_from([Fraction(1), 1 + Fraction(1, 10**9), Fraction(10**304)]),
    st.fractions(Fraction(1, 12), 20, max_denominator=12),
)


def masses(l: int, p: Fraction) -> list[Fraction]:
    return [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)]


def divergence(l: int, p: Fraction, factor: Fraction) -> Fraction:
    """The sum over all points of the positive part of b(x) - E b(x-1)."""
    law = masses(l, p)
    return sum(max(a - factor * b, Fraction(0)) for a, b in zip([*law, Fraction(0)], [Fraction(0), *law], strict=True))


def opposite(l: int, p: Fraction, factor: Fraction) -> Fraction:
    """The sum over all points of the positive part of b(x-1) - E b(x)."""
    law = masses(l, p)
    return sum(max(b - factor * a, Fraction(0)) for a, b in zip([*law, Fraction(0)], [Fraction(0), *law], strict=True))


@given(st.integers(0, 40), CHANCES, FACTORS)
@settings(deadline=None)
def test_both_ways_give_the_sum_over_all_points(l, p, factor):
    expected = divergence(l, Fraction(p), factor)
    assert shift_delta_exact(l, Fraction(p), factor) == expected
    assert encloses(shift_delta(l, real(p), real(factor), 80), expected, 90)


@given(st.integers(0, 30), CHANCES, FACTORS)
@settings(deadline=None)
def test_the_opposite_pair_has_the_complementary_chance(l, p, factor):
    assert shift_delta_exact(l, 1 - Fraction(p), factor) == opposite(l, Fraction(p), factor)


@given(st.integers(1, 40), st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), FACTORS)
@settings(deadline=None)
def test_the_cut_is_the_last_point_of_the_set(l, p, factor):
    law = [Fraction(0), *masses(l, p), Fraction(0)]
    members = [x for x in range(l + 2) if law[x + 1] > factor * law[x]]
    assert members == list(range(shift_cut(l, real(p), real(factor))[0] + 1))


def test_known_values():
    assert shift_delta_exact(20, Fraction(1, 2), Fraction(2)) == Fraction(4265, 262144)
    assert shift_delta(0, real("1/3"), real(2), 53) == 1
    assert shift_delta(9, real(0), real(2), 53) == 1
    assert shift_delta(9, real(1), real(2), 53) == 1


@pytest.mark.parametrize("l", [11, 20])
def test_a_tie_that_no_precision_decides_is_enclosed(l):
    hidden = exp(log(2) + log(3)) / 3
    assert hidden.fraction is None
    assert encloses(shift_delta(l, real("1/2"), hidden, 80), divergence(l, Fraction(1, 2), Fraction(2)), 90)


@every("p", ["1/2", "1e-9", "1-1e-9", "3/7"])
@every("eps", ["1e-9", "1e-3", "1", "20", "700"])
def test_irrational_factors_from_tiny_to_huge(p, eps):
    l, chance, exponent = 300, real(p).fraction, real(eps).fraction
    with mpmath.workdps(700):
        rate = mpmath.mpf(chance.numerator) / chance.denominator
        factor = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        law = [0, *(comb(l, x) * rate**x * (1 - rate) ** (l - x) for x in range(l + 1)), 0]
        expected = mpmath.fsum(max(law[x + 1] - factor * law[x], 0) for x in range(l + 2))
    assert encloses(shift_delta(l, real(p), exp(real(eps)), 117), expected, 127)


@pytest.mark.parametrize(("l", "eps"), [(10**5, "1/20"), (10**6, "1/100"), (10**6, "1/1000")])
def test_large_laws_against_the_sum_below_the_cut(l, eps):
    exponent = real(eps).fraction
    with mpmath.workdps(90):
        factor = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
        x = int((l + 1) / (1 + factor))
        mass = (
            mpmath.exp(mpmath.loggamma(l + 1) - mpmath.loggamma(x + 1) - mpmath.loggamma(l - x + 1))
            / mpmath.mpf(2) ** l
        )
        expected = mpmath.mpf(0)
        while mass > expected * mpmath.mpf(10) ** -80:
            below = mass * x / (l - x + 1)
            expected += mass - factor * below
            mass, x = below, x - 1
    assert encloses(shift_delta(l, real("1/2"), exp(real(eps)), 117), expected, 127)


@pytest.mark.parametrize(("l", "p", "factor"), [(-1, "1/2", "2"), (3, "2", "2"), (3, "1/2", "0")])
def test_parameters_outside_their_domain_are_refused(l, p, factor):
    with pytest.raises(ParameterError):
        shift_delta(l, real(p), real(factor), 53)
