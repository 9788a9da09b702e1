"""Sums of rows in doubles against rational sums, and against the same rows in balls."""

from fractions import Fraction

import pytest
from flint import ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from panshuffle.exact.pairs import opposite_shifts
from panshuffle.exact.pairs.opposite_shifts import (
    Rows,
    binomial_pair_delta,
    binomial_pair_delta_exact,
    boundary_sum,
    double_sum,
    pair_boundary,
    poisson_pool_delta,
    window,
)
from panshuffle.exact.real import dyadic, exp, log, real

FACTORS = st.one_of(
    st.fractions(Fraction(1, 30), 50, max_denominator=30),
    st.sampled_from([Fraction(1), 1 + Fraction(1, 10**15), Fraction(10) ** 6, Fraction(1, 10**6)]),
)
CHANCES = st.one_of(
    st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
    st.sampled_from([Fraction(1, 2), Fraction(1, 1000), 1 - Fraction(1, 1000)]),
)


@given(st.integers(1, 60), CHANCES, FACTORS)
@settings(deadline=None)
def test_all_rows_in_doubles_enclose_the_rational_divergence(l, p, exp_eps):
    with ctx.workprec(100):
        boundary = pair_boundary(l, real(p), real(exp_eps), 100)
        factor, rows = real(exp_eps).ball_here(), [Rows(0, l, l + 1, 0.0, best) for best in (0, l // 2, l)]
        sums = [double_sum(boundary, all_rows, factor) for all_rows in rows]
    exact = binomial_pair_delta_exact(l, p, exp_eps)
    for ball in sums:
        if ball is None:
            assert min(p, 1 - p, 1 / exp_eps) ** l < Fraction(1, 10**60)
            continue
        assert abs(dyadic(ball) - exact) <= dyadic(ball.rad())
        assert dyadic(ball.rad()) < Fraction(1, 10**11)


@given(
    st.integers(1000, 10**7),
    st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=10**6),
    st.floats(0, 12),
    st.integers(0, 10**6),
)
@settings(max_examples=25, deadline=None)
def test_rows_in_doubles_enclose_the_same_rows_in_balls(l, p, deviations, nudge):
    spread = float(l * p * (1 - p)) ** 0.5
    assume(spread > 5)
    factor = real(1 + Fraction(deviations / spread) * Fraction(10**6 + nudge, 10**6))
    with ctx.workprec(120):
        boundary = pair_boundary(l, real(p), factor, 120)
        rows = window(boundary, 42, True)
        slow = boundary_sum(boundary, rows, factor.ball_here(), 100)
        fast = double_sum(boundary, rows, factor.ball_here())
        assert fast is not None
        assert fast.contains(slow)
        assert fast.rel_accuracy_bits() >= 30


def test_an_edge_at_a_whole_number_is_decided_by_integers():
    (l, factor) = (2099, real(2))
    with ctx.workprec(100):
        boundary = pair_boundary(l, real("1/2"), factor, 100)
        rows = window(boundary, 42, True)
        assert any(2 * y * (l + 1) % (l + 1 + y) == 0 for y in range(rows.first, rows.last))
        fast = double_sum(boundary, rows, factor.ball_here())
        assert fast is not None
        assert fast.contains(boundary_sum(boundary, rows, factor.ball_here(), 80))


def test_an_edge_that_no_precision_decides_is_left_to_balls():
    (l, tied) = (2099, 2 + log(real(3)) - log(real(9)) / 2)
    assert tied.fraction is None
    with ctx.workprec(100):
        boundary = pair_boundary(l, real("1/2"), tied, 100)
        assert double_sum(boundary, window(boundary, 42, True), tied.ball_here()) is None
    assert binomial_pair_delta(l, real("1/2"), tied, 34).overlaps(binomial_pair_delta(l, real("1/2"), real(2), 60))


def test_answers_do_not_depend_on_the_way_they_are_summed(monkeypatch):
    questions = [
        lambda: binomial_pair_delta(10**5, real("1/3"), real("1.02"), 34),
        lambda: poisson_pool_delta(real("12345.6"), real("1.07"), 34),
        lambda: poisson_pool_delta(exp(real(8)), exp(real("1/10")), 34),
    ]
    fast = [question() for question in questions]
    monkeypatch.setattr(opposite_shifts, "DOUBLE_BITS", 0)
    for ball, question in zip(fast, questions, strict=True):
        slow = question()
        assert slow.rad() < ball.rad()
        assert ball.contains(slow)
        assert ball.rel_accuracy_bits() >= 34


@pytest.mark.parametrize(("l", "power"), [(2000, 400), pytest.param(100_000, 305, marks=pytest.mark.long), (2000, 305)])
def test_a_factor_that_doubles_do_not_hold_is_left_to_balls(l, power):
    few, many = (binomial_pair_delta(l, real("1/2"), real(10) ** power, bits) for bits in (33, 150))
    assert few.overlaps(many)
    assert few.is_finite()
