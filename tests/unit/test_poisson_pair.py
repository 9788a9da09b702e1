"""The pair of Poisson pools: all products, sorted products and the lattice, against sums over all four counts."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.pairs.opposite_shifts import poisson_pool_delta
from panshuffle.exact.pairs.poisson_pair import (
    far_bound,
    floors,
    lattice_bounds,
    poisson_pair_bounds,
    poisson_pair_delta,
    poisson_pair_sorted,
    poisson_pair_whole,
)
from panshuffle.exact.real import Certified, Real, ball_bounds, exp, real, sqrt

from tests.conftest import FULL


def four_counts(mu: Fraction, exp_eps, most: int) -> tuple[mpmath.mpf, mpmath.mpf]:
    """(delta over counts up to `most`, a bound on what is left out), straight from the definition."""
    mean = mpmath.mpf(mu.numerator) / mu.denominator
    masses = [mpmath.exp(-mean) * mean**i / mpmath.factorial(i) for i in range(most + 1)]
    cells = []
    for x in range(most + 1):
        for y in range(most + 1):
            upper = (masses[x - 1] if x else 0) * masses[y]
            lower = masses[x] * (masses[y - 1] if y else 0)
            cells.append((upper, lower))
    total = mpmath.mpf(0)
    for upper, lower in cells:
        for other_upper, other_lower in cells:
            total += max(upper * other_upper - exp_eps * lower * other_lower, mpmath.mpf(0))
    return total, 8 * (1 - sum(masses[:-1]))


@pytest.mark.parametrize(("mu", "exp_eps"), [("1/2", "2"), ("1/2", "1"), ("1/10", "5/4"), ("1", "3"), ("3/2", "3/2")])
def test_products_against_four_counts(mu, exp_eps):
    with mpmath.workdps(40):
        factor = mpmath.mpf(Fraction(exp_eps).numerator) / Fraction(exp_eps).denominator
        value, rest = four_counts(Fraction(mu), factor, 13)
        low, high = ball_bounds(poisson_pair_whole(real(mu), real(exp_eps), 100), 90)
        assert low - 2 <= (value + rest) * 2**90
        assert (value - rest) * 2**90 <= high + 2
        assert high - low < 2**20


POINTS = [
    ("21", "2"),
    ("40", "1"),
    ("60", "exp(1)"),
    ("100", "5"),
    ("149", "1.3"),
    ("100", "4/3"),
    ("33.3", "exp(1/7)"),
]


@pytest.mark.parametrize(("mu", "exp_eps"), POINTS[:: 1 if FULL else 2])
def test_sorted_and_lattice_enclose_what_the_cells_give(mu, exp_eps):
    exact = poisson_pair_whole(real(mu), real(exp_eps), 160)
    near = poisson_pair_sorted(real(mu), real(exp_eps), float(exact.mid()))
    assert near is not None
    assert near.contains(exact)
    assert near.rel_accuracy_bits() > 42
    for precision in (64, 100):
        rough = poisson_pair_bounds(real(mu), real(exp_eps), precision)
        assert rough.contains(exact)
        assert rough.rel_accuracy_bits() > 12 or precision == 64


@settings(max_examples=60 if FULL else 15, deadline=None)
@given(st.fractions(20, 70, max_denominator=7), st.fractions(1, 9, max_denominator=60))
def test_sorted_and_lattice_enclose_any_point(mu, factor):
    """Thresholds on ties and between them, and means that are no whole numbers."""
    exact = poisson_pair_whole(Real(mu), Real(factor), 200)
    near = poisson_pair_sorted(Real(mu), Real(factor), float(exact.mid()))
    assert near is not None
    assert near.contains(exact)
    for precision in (64, 100):
        assert poisson_pair_bounds(Real(mu), Real(factor), precision).contains(exact)


def test_pairs_next_to_the_threshold_are_counted_or_not():
    """e^eps so near to 2 that doubles take it for 2, where many pairs of cells are on the threshold."""
    for factor in ("2.000000000000000000001", "1.999999999999999999999"):
        exact = poisson_pair_whole(real(10), real(factor), 160)
        found = poisson_pair_sorted(real(10), real(factor), float(exact.mid()))
        assert found is not None
        assert found.overlaps(exact) and found.rel_accuracy_bits() > 42


def test_an_answer_has_its_digits_to_means_of_some_thousands():
    value = Certified(lambda precision: poisson_pair_delta(real(700), real("exp(1/4)"), precision))
    low, high = map(Fraction, value.enclosure(25))
    assert 0 < high - low < high / 10**13


@pytest.mark.parametrize(("mu", "exp_eps"), [("600", "1.4"), ("2000", "1.2"), ("2000", "1")])
def test_sorted_and_lattice_agree_where_cells_are_too_many(mu, exp_eps):
    rough = poisson_pair_bounds(real(mu), real(exp_eps), 100)
    near = poisson_pair_sorted(real(mu), real(exp_eps), float(rough.mid()))
    assert near is not None
    assert rough.contains(near)


def test_a_wrong_estimate_only_widens():
    exact = poisson_pair_whole(real(50), real(2), 160)
    for estimate in (1e-2, 1e-12, 1e-60):
        found = poisson_pair_sorted(real(50), real(2), estimate)
        assert found is not None
        assert found.contains(exact)


@pytest.mark.parametrize(("mu", "exp_eps"), [("1000", "60"), ("200", "2^21")])
def test_beyond_the_lattice_the_answer_lies_between_one_pool_and_two(mu, exp_eps):
    found = poisson_pair_bounds(real(mu), real(exp_eps), 100)
    one = poisson_pool_delta(real(mu), real(exp_eps), 100)
    two = 2 * poisson_pool_delta(real(mu), sqrt(real(exp_eps)), 100)
    assert found.upper() >= one.lower()
    assert found.lower() <= two.upper()
    assert found.upper() >= two.lower()


def test_far_window():
    """delta of about 1e-100, or 1e-40: the narrow window would not reach it."""
    mean, factor, most = (150, 60, 700) if FULL else (50, 60, 350)
    exact = poisson_pair_whole(real(mean), real(factor), most)
    assert exact < arb("1e-60" if FULL else "1e-20")
    assert poisson_pair_bounds(real(mean), real(factor), 100).contains(exact)


def test_thresholds_are_whole_numbers():
    """The integer part of E b, where E b is a whole number, next to one, and too large for 64 bits."""
    values = np.array([10**10 + 3, 10**10, 3, 2, 1])
    for text in ("2", "3/2", "exp(1)", "1.0000000001", "2.000000000000000000001", "1.999999999999999999999"):
        factor = real(text)
        expected = [min((factor * int(value)).floor(), 10**10 + 4) for value in values]
        assert [min(int(found), 10**10 + 4) for found in floors(values, factor)] == expected


def test_the_lattice_holds_what_floats_give_for_a_large_mean():
    """All cells of both pools in doubles, sorted by ratio: about ten digits, by no lattice."""
    mean, factor = 4000, float(np.exp(0.08))
    counts = np.arange(mean - 560, mean + 561)
    masses = np.exp(counts * np.log(mean) - mean - np.array([math.lgamma(c + 1) for c in counts]))
    ratio = np.add.outer(counts[1:], 0 * counts[1:]) / counts[1:]
    upper, lower = (
        np.multiply.outer(masses[:-1], masses[1:]).ravel(),
        np.multiply.outer(masses[1:], masses[:-1]).ravel(),
    )
    order = np.argsort(-ratio.ravel())
    ratio, upper, lower = ratio.ravel()[order], upper[order], lower[order]
    prefix = np.searchsorted(-ratio, -factor / ratio, side="left")
    above, below = (np.concatenate([[0.0], np.cumsum(part)]) for part in (upper, lower))
    found = float((upper * above[prefix]).sum() - factor * (lower * below[prefix]).sum())
    low, high = lattice_bounds(real(mean), exp(real("2/25")))
    assert low * (1 - 1e-8) <= found <= high * (1 + 1e-8)
    assert high <= low * 1.0001


@pytest.mark.parametrize("eps", ["1000", "1e15"])
def test_beyond_all_ratios_only_an_empty_pool_tells(eps):
    """At e^eps that no finite ratio reaches, delta is the chance of no zeros in one of the pools."""
    found = poisson_pair_delta(real(10), exp(real(eps)), 100)
    with mpmath.workdps(40):
        limit = 2 * mpmath.exp(-10) - mpmath.exp(-20)
        assert abs(mpmath.mpf(str(found.mid().str(35, radius=False))) - limit) < mpmath.mpf(10) ** -28


@pytest.mark.parametrize(("mu", "e"), [(3, 2), (20, 30), (60, "101/100"), (60, 5), (150, 40)])
def test_a_far_delta_is_bounded_by_the_tails_of_the_counts(mu, e):
    """From above by all cells in balls, which use neither the lattice nor a tail bound."""
    truth, far = poisson_pair_whole(real(mu), real(e), 64), far_bound(real(mu), real(e))
    assert far.lower() <= truth.upper() and truth.lower() <= far.upper()


def test_a_far_delta_of_a_huge_mean_takes_no_lattice():
    """Chernoff's exponent of one count that is off by 64^(1/4), from mpmath."""
    found = poisson_pair_delta(real(10**10), real(64), 64)
    with mpmath.workdps(30):
        ratio = mpmath.mpf(64) ** 0.25
        slower = min(s * mpmath.log(s) - s + 1 for s in (ratio, 1 / ratio))
    assert found.upper() > 0
    assert -found.upper().log() > arb(mpmath.nstr(slower * 10**10, 20)) * arb("0.999999")
