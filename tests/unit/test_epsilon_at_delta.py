"""eps at a delta comes with the digits that were asked for, also where the curve has a corner or drops to 0."""

import random
from fractions import Fraction
from math import comb

import mpmath
import pytest
from panshuffle.exact.real import real
from panshuffle.exact.views.binomial import binomial_view
from panshuffle.exact.views.distinct_elements import distinct_elements_view

from tests.conftest import FULL

DRAWS = 400 if FULL else 60


def ends(certified, digits):
    return [mpmath.mpf(text) for text in certified.enclosure(digits)]


def coins_delta(l, p, exp_eps):
    """The larger divergence of Bin(l, p) and 1 + Bin(l, p), by the definition."""
    masses = [comb(l, i) * p**i * (1 - p) ** (l - i) for i in range(l + 1)]
    pairs = list(zip([*masses, 0], [0, *masses], strict=True))
    return max(sum(max(0, a - exp_eps * b) for a, b in pairs), sum(max(0, b - exp_eps * a) for a, b in pairs))


def is_narrow(low, high, digits):
    return high - low <= 2 * mpmath.mpf(10) ** (1 - digits) * max(high, mpmath.mpf(1) / 10**6)


def test_the_mechanism_that_once_had_three_digits():
    with mpmath.workdps(40):
        low, high = ends(binomial_view(38, real("1/2")).curve.epsilon(real("1e-9"), 30), 30)
        assert is_narrow(low, high, 30)
        assert coins_delta(38, mpmath.mpf(1) / 2, mpmath.exp(low)) >= mpmath.mpf("1e-9") * (1 - mpmath.mpf(10) ** -25)
        assert coins_delta(38, mpmath.mpf(1) / 2, mpmath.exp(high)) <= mpmath.mpf("1e-9") * (1 + mpmath.mpf(10) ** -25)


def test_random_binomials_have_their_digits():
    draw = random.Random(20)
    with mpmath.workdps(40):
        for _ in range(DRAWS):
            l, p = draw.randint(1, 60), Fraction(draw.randint(1, 19), 20)
            exponent = draw.randint(1, 18)
            curve = binomial_view(l, real(p)).curve
            delta = Fraction(1, 10**exponent)
            found = curve.epsilon(real(delta))
            if found.infinite:
                assert min(p**l, (1 - p) ** l) >= 0 and max(p**l, (1 - p) ** l) >= delta
                continue
            low, high = ends(found, 10)
            assert is_narrow(low, high, 10), (l, p, exponent)
            exact = mpmath.mpf(p.numerator) / p.denominator
            goal = mpmath.mpf(delta.numerator) / delta.denominator
            assert coins_delta(l, exact, mpmath.exp(high)) <= goal * (1 + mpmath.mpf(10) ** -20)
            if low > 0:
                assert coins_delta(l, exact, mpmath.exp(low)) >= goal * (1 - mpmath.mpf(10) ** -20)


@pytest.mark.parametrize("m", [2, 3, 5])
def test_small_pools_of_distinct_elements_have_their_digits(m):
    draw = random.Random(m)
    with mpmath.workdps(40):
        for _ in range(DRAWS // 10):
            n, k, eps = draw.randint(1, 5), draw.randint(2, 4), Fraction(draw.randint(1, 30), 10)
            curve = distinct_elements_view(n, n, k, real(eps), m).curve
            low, high = ends(curve.epsilon(real(Fraction(1, 10 ** draw.randint(1, 6)))), 10)
            assert is_narrow(low, high, 10), (n, k, eps)
