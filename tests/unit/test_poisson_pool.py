"""The Poisson pool against the definition of the divergence, summed over a square of outcomes."""

from fractions import Fraction
from math import isqrt

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import ParameterError, Undecided
from panshuffle.exact.pairs.opposite_shifts import (
    boundary_delta,
    factor_bounds,
    poisson_boundary,
    poisson_pool_ceiling,
    poisson_pool_delta,
)
from panshuffle.exact.real import exp, log, real

from tests.conftest import FULL
from tests.every import every
from tests.unit.test_tails import contains, encloses


def mp(value: str) -> mpmath.mpf:
    """The number that `value`, a rational or exp of one, denotes."""
    if value.startswith("exp("):
        return mpmath.exp(mp(value[4:-1]))
    rational = real(value).fraction
    return mpmath.mpf(rational.numerator) / rational.denominator


def divergence(mu: mpmath.mpf, factor: mpmath.mpf, size: int) -> mpmath.mpf:
    """The positive parts of pi(x-1) pi(y) - E pi(x) pi(y-1), summed over 0 <= x, y < size."""
    law = [mpmath.mpf(0), mpmath.exp(-mu)]
    for x in range(1, size):
        law.append(law[-1] * mu / x)
    return mpmath.fsum(
        max(law[x] * law[y + 1] - factor * law[x + 1] * law[y], 0) for x in range(size) for y in range(size)
    )


@pytest.mark.parametrize("mu", ["1e-9", "1/3", "5", "12"])
@pytest.mark.parametrize("factor", ["1", "exp(1e-9)", "exp(1/10)", "2", "7/3", "exp(3)", "exp(700)", "1/3"])
def test_the_sum_over_a_square(mu, factor):
    with mpmath.workdps(75):
        expected = divergence(mp(mu), mp(factor), 110)
    assert encloses(poisson_pool_delta(real(mu), real(factor), 100), expected, 110)


@every("mu", ["1e-9", "1/3", "5", "12"] if FULL else ["1/3", "12"])
@every("factor", ["1", "exp(1e-9)", "exp(1/10)", "2", "7/3", "exp(3)", "exp(700)"])
def test_the_ceiling_is_above_the_sum_over_a_square(mu, factor):
    with mpmath.workdps(75):
        expected = divergence(mp(mu), mp(factor), 110)
        ceiling = poisson_pool_ceiling(real(mu), real(factor))  # infinite where E is too large for it
        assert not ceiling.is_finite() or expected <= mpmath.mpf(ceiling.str(30, radius=False))
        assert ceiling.is_finite() or factor == "exp(700)"


def test_the_ceiling_is_small_where_the_sum_takes_long():
    """mu = 10^8 and eps = 1/2: delta is about 10^-2592352, the exponent of the ceiling is that, too."""
    ceiling = poisson_pool_ceiling(real(10**8), exp(real("1/2")))
    assert -2592355 < float(ceiling.log() / arb(10).log()) < -2592340
    assert not poisson_pool_ceiling(real(10**30), exp(real("1e-3000"))) < 1


def test_the_known_value():
    with mpmath.workdps(40):
        known = Fraction("0.070482108599739696537996511125")
    ball = poisson_pool_delta(real(5), real(2), 120)
    assert abs(Fraction(ball.str(32, radius=False)) - known) < Fraction(1, 10**30)


@given(st.fractions(Fraction(1, 10), 6, max_denominator=20), st.fractions(Fraction(1, 4), 9, max_denominator=9))
@settings(max_examples=15, deadline=None)
def test_generated_pools(mu, factor):
    with mpmath.workdps(75):
        expected = divergence(mp(str(mu)), mp(str(factor)), 80)
    assert encloses(poisson_pool_delta(real(mu), real(factor), 80), expected, 90)


@pytest.mark.parametrize("bits", [-30, -20, -10, 0, 10])
def test_a_window_that_leaves_out_much_still_encloses(bits):
    for mu, factor in (("12", "3/2"), ("12", "1"), ("5", "4"), ("9", "1/3"), ("2", "100")):
        with mpmath.workdps(75):
            expected = divergence(mp(mu), mp(factor), 70)
        assert contains(boundary_delta(poisson_boundary(real(mu), real(factor)), real(factor), bits), expected)


def test_ties_that_no_precision_decides_are_enclosed():
    hidden = exp(log(2) + log(3)) / 3
    assert hidden.fraction is None
    with mpmath.workdps(75):
        expected = divergence(mpmath.mpf(5), mpmath.mpf(2), 110)
    assert encloses(poisson_pool_delta(real(5), hidden, 100), expected, 110)


def row_sums(mu: int, factor: mpmath.mpf, first: int, last: int) -> mpmath.mpf:
    """The rows first..last of the definition, with tails as sums of all masses up to a far point."""
    most = mu + 40 * isqrt(mu)
    law = [mpmath.exp(-mpmath.mpf(mu))]
    for x in range(1, most):
        law.append(law[-1] * mu / x)
    tails = [mpmath.mpf(0)]
    for mass in reversed(law):
        tails.append(tails[-1] + mass)
    tails.reverse()
    total = mpmath.mpf(0)
    for y in range(first, last):
        t = int(mpmath.floor(factor * y))
        if t + 1 < len(tails):
            total += law[y] * tails[t] - (factor * law[y - 1] * tails[t + 1] if y else 0)
    return total


@pytest.mark.parametrize(
    ("mu", "factor"), [(300, "exp(1/2)"), (5000, "exp(1/10)"), (5000, "9/8"), (20000, "exp(1/100)")]
)
def test_large_pools_against_all_their_rows(mu, factor):
    with mpmath.workdps(85):
        expected = row_sums(mu, mp(factor), 0, mu + 35 * isqrt(mu))
    assert encloses(poisson_pool_delta(real(mu), real(factor), 80), expected, 90)


def test_a_factor_known_too_coarsely_is_undecided(monkeypatch):
    monkeypatch.setattr("panshuffle.exact.pairs.opposite_shifts.factor_bounds", lambda exp_eps, bits: (1, 3, 1))
    with pytest.raises(Undecided):
        poisson_pool_delta(real(5), real(2), 40)


def test_bounds_on_the_factor():
    assert factor_bounds(real("7/3"), 10) == (7, 7, 3)
    least, most, scale = factor_bounds(exp(real(1)), 60)
    with mpmath.workdps(40):
        assert mpmath.mpf(least) / scale < mpmath.e < mpmath.mpf(most) / scale


def test_parameters_outside_their_domain_are_refused():
    for mu, factor in (("0", "2"), ("-1", "2"), ("1", "0")):
        with pytest.raises(ParameterError):
            poisson_pool_delta(real(mu), real(factor), 53)
