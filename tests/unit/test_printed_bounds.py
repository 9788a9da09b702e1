"""The paper's bounds beside a view: as delta, as eps, and where they say nothing."""

from fractions import Fraction

import mpmath
import pytest
from panshuffle.exact.real import exp, real
from panshuffle.exact.views.binomial import binary_sum_view, binomial_view, pan_histogram_view, pan_sum_view
from panshuffle.exact.views.distinct_elements import paper_bound
from panshuffle.exact.views.released import geometric_distinct_elements_view, randomized_or_view
from panshuffle.exact.views.uniformity import pan_uniformity_view, uniformity_view

from tests.brute_force.enumerated_views import ends, fraction_of, mp


def coefficient(eps):
    return ((mpmath.exp(eps) + 1) / (mpmath.exp(eps) - 1)) ** 2


def half_width(target, scale):
    """eps with scale/c^2 = target."""
    root = mpmath.sqrt(scale / target)
    return mpmath.log((root + 1) / (root - 1))


def agrees(number, value):
    low, high = ends(number.ball(240))
    slack = abs(fraction_of(value)) / 10**50
    return low - slack <= fraction_of(value) <= high + slack


@pytest.mark.parametrize("eps", ["1/2", "1", "5/2"])
def test_printed_bounds_as_delta(eps):
    """Lemma b_noise, the claim on P^zsum, the two pan-private sums and the uniformity tester, solved for delta."""
    at = real(eps)
    with mpmath.workdps(60):
        e = mp(Fraction(eps))
        for l, p in ((2000, "1/3"), (4000, "9/10")):
            scale = l * min(mp(Fraction(p)), 1 - mp(Fraction(p))) / 10
            assert agrees(binomial_view(l, real(p)).paper.delta(at), 2 * mpmath.exp(-scale / coefficient(e)))
        inner = 2 * mpmath.exp(-mp(Fraction(9000) / 10 * Fraction(1, 10)) / coefficient(e))
        for gamma, users in ((Fraction(1), 9000), (Fraction(1, 3), 3000)):
            printed = 2 * (inner / 2) ** mp(gamma)
            assert agrees(binary_sum_view(users, real("9/10")).paper.delta(at), printed)
        assert agrees(pan_sum_view(900).paper.delta(at), 2 * mpmath.exp(-45 / coefficient(e)))
        assert agrees(pan_histogram_view(3, 2000).paper.delta(at), 4 * mpmath.exp(-100 / coefficient(e / 2)))
        for gamma in ("1", "1/2"):
            tester = 8 * (2 * 5 * mpmath.exp(-250 / coefficient(e / 2))) ** mp(Fraction(gamma))
            assert agrees(uniformity_view(real(10_000), real(gamma), 5).paper.delta(at), tester)
        online = 8 * (2 * 5 * mpmath.exp(-250 / coefficient(e / 2))) ** (mpmath.mpf(1) / 3)
        assert agrees(pan_uniformity_view(30, 5, real(10_000)).paper.delta(at), online)


@pytest.mark.parametrize("delta", ["1e-3", "1e-8"])
def test_printed_bounds_as_eps(delta):
    at = real(delta)
    with mpmath.workdps(60):
        d = mp(Fraction(delta))
        scale = mp(Fraction(3000, 30))
        assert agrees(binomial_view(3000, real("1/3")).paper.epsilon(at), half_width(mpmath.log(2 / d), scale))
        assert agrees(pan_sum_view(900).paper.epsilon(at), half_width(mpmath.log(2 / d), mpmath.mpf(45)))
        histogram = 2 * half_width(mpmath.log(4 / d), mpmath.mpf(100))
        assert agrees(pan_histogram_view(3, 2000).paper.epsilon(at), histogram)
        inner = (d / 8) ** 2
        tester = 2 * half_width(mpmath.log(10 / inner), mpmath.mpf(250))
        assert agrees(uniformity_view(real(10_000), real("1/2"), 5).paper.epsilon(at), tester)


def test_printed_bounds_say_nothing_where_their_hypotheses_fail():
    assert binomial_view(20, real("1/2")).paper.delta(real(1)) is None
    assert binomial_view(20, real("1/2")).paper.delta(real(0)) is None
    assert binomial_view(20, real("1/2")).paper.epsilon(real("1e-6")) is None
    assert pan_sum_view(100).paper.epsilon(real(0)) is None
    assert uniformity_view(real(10), real(1), 3).paper.delta(real(1)) is None
    assert geometric_distinct_elements_view(2, 3, real(1)).paper.delta(real("1/2")) is None
    assert geometric_distinct_elements_view(2, 3, real(1)).paper.delta(real(1)).fraction == 0
    assert randomized_or_view(real(1)).paper.epsilon(real(0)).fraction == 1


@pytest.mark.parametrize(("eps", "gamma"), [("1/2", "1/2"), ("1/2", "1"), ("1/100", "9/10"), ("2", "1/3")])
def test_printed_bound_of_distinct_elements(eps, gamma):
    """(2 eps(gamma), 4 delta/gamma); for eps <= ln 2 the smaller of the two printed bounds on eps(gamma)."""
    bound = paper_bound(real(eps), real("1e-6"), Fraction(gamma))
    with mpmath.workdps(60):
        e, g = mp(Fraction(eps)), mp(Fraction(gamma))
        at = e + mpmath.log(1 / g)
        at = 2 * (min(at, 2 * e**g / g) if e <= mpmath.log(2) else at)
        assert agrees(bound.epsilon(real("1/10")), at)
        assert agrees(bound.delta(real(20)), 4 * mpmath.mpf(10) ** -6 / g)
        assert bound.epsilon(real("1e-6")) is None
        assert bound.delta(exp(real(-20))) is None
