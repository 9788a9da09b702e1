"""Parity pools against enumeration, mpmath and full maxima; the finite cases of the theorem in docs/shares.md."""

from fractions import Fraction
from itertools import product
from math import comb

import mpmath
import pytest
from flint import arb, ctx, fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.pairs.parity_pair import kappa_upper, middle_norm_upper, parity_law, parity_law_balls
from panshuffle.exact.pairs.share_distance import (
    first_norm,
    krawtchouk,
    leading,
    least_messages,
    roots_below,
    share_tv,
    worst_share_tv,
    worst_share_tv_ball,
)
from panshuffle.exact.parameters import log2
from panshuffle.exact.real import as_fraction, exp, real

from tests.every import every

SHARES = st.fractions(0, Fraction(49, 50), max_denominator=50)


def ends(ball):
    """The exact ends of a ball, as rationals."""
    middle, radius = as_fraction(ball.mid().fmpq()), as_fraction(ball.rad().fmpq())
    return middle - radius, middle + radius


def encloses(ball, value):
    lower, upper = ends(ball)
    return lower <= value <= upper


def enumerated_law(flips, m):
    """From the definition: each user draws a bit, then a vector of m bits of that parity."""
    law = {0: Fraction(1)}
    for flip in flips:
        step: dict[int, Fraction] = {}
        for vector in product((0, 1), repeat=m):
            mass = (flip if sum(vector) % 2 else 1 - flip) / 2 ** (m - 1)
            for before, weight in law.items():
                step[before + sum(vector)] = step.get(before + sum(vector), Fraction(0)) + weight * mass
        law = step
    return [law.get(ones, Fraction(0)) for ones in range(len(flips) * m + 1)]


def norm(users, m, j, parity=None):
    """||A^(N-j) B^j||, or the part of it on one parity."""
    f = fmpz_poly([1, 1]) ** (m * (users - j)) * fmpz_poly([1, -1]) ** (m * j)
    coefficients = [int(f[x]) for x in range(users * m + 1)]
    return Fraction(sum(map(abs, coefficients if parity is None else coefficients[parity::2])), 2 ** (users * m))


@every(("users", "m"), [(1, 1), (1, 4), (2, 3), (3, 2), (3, 3), (4, 2)])
@every("q", [Fraction(0), Fraction(1, 3), Fraction(9, 10), Fraction(1), Fraction(-1)])
def test_law_is_that_of_all_message_vectors(users, m, q):
    for holders in range(users + 1):
        flips = [Fraction(1, 2)] * holders + [(1 - q) / 2] * (users - holders)
        assert parity_law(users, holders, m, q) == enumerated_law(flips, m)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 7), st.integers(1, 5), SHARES, st.data())
def test_balls_enclose_the_exact_masses_with_the_accuracy_asked_for(users, m, q, data):
    holders = data.draw(st.integers(0, users))
    precision = data.draw(st.sampled_from([10, 53, 200]))
    balls = parity_law_balls(users, holders, m, real(q), precision)
    masses = parity_law(users, holders, m, q)
    for ball, mass in zip(balls, masses, strict=True):
        lower, upper = ends(ball)
        assert lower <= mass <= upper
        assert upper - lower <= mass * Fraction(4, 2**precision)


def test_irrational_masses_agree_with_a_signed_sum_in_60_digits():
    users, holders, m = 9, 2, 4
    balls = parity_law_balls(users, holders, m, (1 - exp(real(-1))) ** Fraction(1, 12), 180)
    with mpmath.workdps(90):
        q = (1 - mpmath.exp(-1)) ** (mpmath.mpf(1) / 12)
        for x, ball in enumerate(balls):
            signed = sum(
                comb(users - holders, j) * q**j * krawtchouk(users * m, users * m, m * j)[x]
                for j in range(users - holders + 1)
            )
            mass = signed / mpmath.mpf(2) ** (users * m)
            assert abs(mpmath.mpf(ball.mid().str(80, radius=False)) / mass - 1) < mpmath.mpf(10) ** -50


def test_far_masses_of_a_large_pool_keep_their_digits():
    balls = parity_law_balls(100, 1, 10, real("0.99"), 53)
    assert min(ball.rel_accuracy_bits() for ball in balls) >= 53
    flip = Fraction(1, 200)
    assert encloses(balls[0], (1 - flip) ** 99 / Fraction(2 ** (9 * 99 + 10)))
    assert encloses(sum(balls, arb(0)), 1)


@every("users", range(1, 5))
@every("m", range(1, 4))
def test_share_tv_is_that_of_all_message_vectors(users, m):
    for ones in range(users + 1):
        held = enumerated_law([Fraction(i < ones) for i in range(users)], m)
        ideal = enumerated_law([Fraction(i < ones % 2) for i in range(users)], m)
        assert share_tv(users, ones, m) == sum(abs(a - b) for a, b in zip(held, ideal, strict=True)) / 2


@every("users", [2, 3, 4, 7, 12, 13])
@every("m", [1, 2, 3, 4, 7])
def test_worst_share_tv_is_the_maximum_of_all_and_in_its_ball(users, m):
    worst, where = worst_share_tv(users, m)
    assert worst == max(share_tv(users, ones, m) for ones in range(users + 1)) == share_tv(users, where, m)
    assert encloses(worst_share_tv_ball(users, m, 64), worst)


@every(("users", "m"), [(3, 3), (4, 2), (5, 4), (8, 3), (9, 3), (13, 4), (20, 5)])
def test_every_input_is_within_the_error_of_its_leading_term(users, m):
    bound = leading(users, m, 64)
    for ones in range(users + 1):
        assert encloses(arb(0, bound.error.upper()) + bound.at(ones), share_tv(users, ones, m))


@pytest.mark.parametrize(("users", "m"), [(60, 3), (61, 5), (200, 20)])
def test_the_bound_beyond_agrees_with_the_exact_value(users, m):
    worst, where = worst_share_tv(users, m)
    assert (worst, where) == (share_tv(users, users, m), users)
    ball = worst_share_tv_ball(users, m, 64)
    assert encloses(ball, worst)
    assert ball.rad() < ball.mid() / 50 or m == 3


@every("users", range(2, 9))
@every("m", range(1, 6))
def test_norms_and_their_upper_bounds(users, m):
    for j in range(users + 1):
        assert norm(users, m, j) ** 2 <= Fraction(1, comb(users * m, m * j))
        assert ends(kappa_upper(users, m, j))[1] >= norm(users, m, j)
    for parity in (0, 1):
        ball = first_norm(users, m, parity, 80)
        assert encloses(ball, norm(users, m, 1, parity))
        assert ball.rel_accuracy_bits() >= 80
    for first, q in ((1, Fraction(1)), (1, Fraction(2, 3)), (2, Fraction(1))):
        exact = sum(comb(users, j) * q**j * norm(users, m, j) for j in range(first, users - first + 1))
        assert ends(middle_norm_upper(users, m, real(q), 64, first))[1] >= exact


def test_far_terms_are_bounded_from_above():
    for users, m in ((18, 2), (19, 3), (40, 4), (41, 3)):
        with ctx.workprec(100):
            full = sum((comb(users, j) * kappa_upper(users, m, j) for j in range(1, users)), arb(0))
        assert middle_norm_upper(users, m, real(1), 64) >= full


def test_krawtchouk_values_and_roots():
    for size in (6, 9):
        for x in range(size + 1):
            f = fmpz_poly([1, -1]) ** x * fmpz_poly([1, 1]) ** (size - x)
            assert krawtchouk(size, size, x) == [int(f[d]) for d in range(size + 1)]
    size, degree = 30, 5
    values = [krawtchouk(size, degree, x)[degree] for x in range(size + 1)]
    assert all(v == 0 or (v > 0) == (roots_below(size, degree, x) % 2 == 0) for x, v in enumerate(values))
    assert roots_below(size, degree, 0) == 0
    assert roots_below(size, degree, size) == degree


@every("users", [2, 3, 4, 5, 9, 20])
@every("sigma", ["1/2", "3", "7.3", "10"])
def test_least_m_is_the_first_that_serves(users, sigma):
    target = real(2) ** -real(sigma)
    first = next(m for m in range(1, 40) if target > worst_share_tv(users, m)[0])
    found = least_messages(users, real(sigma))
    assert found.m == first
    assert encloses(found.meets, worst_share_tv(users, first)[0])
    assert encloses(found.fails, worst_share_tv(users, first - 1)[0])


def test_least_m_is_strict_and_works_for_many_users():
    assert [least_messages(2, real(s)).m for s in range(2, 9)] == [s + 2 for s in range(2, 9)]
    assert least_messages(2, log2(real(15))).m == 5
    assert least_messages(1, real(50)).m == 1
    assert worst_share_tv(10, 19)[0] < Fraction(1, 2**40) < worst_share_tv(10, 18)[0]
    assert least_messages(10, real(40)).m == 19
    found = least_messages(10**6, real(40))
    assert found.m == 6
    assert found.meets < arb(2) ** -40 < found.fails


def v_bound(users, m):
    return sum((arb(comb(users, j)) ** ((2 - arb(m)) / 2) for j in range(1, users)), arb(0))


def u_bound(users, m):
    return sum((comb(users, j) * arb(comb(users * m, m * j)).rsqrt() for j in range(1, users)), arb(0))


def test_theorem_the_finite_cases():
    """docs/shares.md, steps 2 and 5: what V does not settle is settled by U, and the rest exactly, for every h."""
    assert share_tv(4, 4, 3) < Fraction(1, 4)
    by_balls, exactly = 0, []
    with ctx.workprec(128):
        for users in range(5, 150):
            m = 3
            while not v_bound(users, m) < arb(2) ** (1 - m):
                settled = u_bound(users, m) < arb(2) ** (1 - m)
                by_balls += settled
                exactly += [] if settled else [(users, m)]
                m += 1
    assert by_balls == 96
    assert exactly == sorted([(5, 4), (6, 4), (7, 4)] + [(users, 3) for users in range(5, 27)])
    for users, m in exactly:
        assert max(share_tv(users, ones, m) for ones in range(users + 1)) < Fraction(2, 2**m)


def test_theorem_the_steps():
    """Step 1: h = 2, 3; step 2: the induction starts; step 4: the bound at N = 150 and beyond."""
    for m in range(3, 12):
        assert share_tv(2, 2, m) == Fraction(2, 2**m) > share_tv(3, 2, m)
        assert share_tv(3, 3, m) < Fraction(2, 2**m)
        assert 16 * Fraction(1, comb(4 * m, m)) >= share_tv(4, 4, m) ** 2
    assert comb(16, 4) > 4**5
    with ctx.workprec(64):
        tail = 2 / arb(150).sqrt() + (arb(8).sqrt() + arb(24).sqrt()) / arb(150 * 149).sqrt()
        assert tail + 2 * arb(6).sqrt() / arb(150 * 149 * 148).sqrt() < arb(1) / 4
        assert all(v_bound(users, 3) < arb(1) / 4 for users in (150, 151, 400))


def test_theorem_is_false_for_two_messages_and_sharp_in_its_constant():
    assert [share_tv(n, n, 2) for n in (4, 6)] == [1 - Fraction(comb(n, n // 2), 2**n) for n in (4, 6)]
    assert share_tv(4, 4, 2) == Fraction(5, 8) > Fraction(1, 2)
    assert worst_share_tv_ball(1001, 2, 64) > arb(97) / 100


@every(
    "call",
    [
        lambda: parity_law(0, 0, 1, Fraction(0)),
        lambda: parity_law(2, 3, 1, Fraction(0)),
        lambda: parity_law(2, 0, 0, Fraction(0)),
        lambda: parity_law(2, 0, 1, Fraction(3, 2)),
        lambda: parity_law_balls(2, 0, 1, real(1), 53),
        lambda: share_tv(2, 3, 1),
        lambda: least_messages(2, real(0)).m,
    ],
)
def test_parameters_outside_their_domain_are_refused(call):
    with pytest.raises(ParameterError):
        call()
