"""P_MOD against its generating function, and the total variation bound behind the default m."""

from fractions import Fraction
from itertools import product

import pytest
from flint import arb, fmpq, fmpq_poly
from panshuffle.exact.pairs.share_distance import share_tv, share_tv_ball
from panshuffle.protocols.modular_sum import ModularSum

from panshuffle import protocol
from tests.brute_force.enumeration import law_of


def generating_function(flips: list[Fraction], m: int) -> list[Fraction]:
    """Coefficients of prod(A + s_i B), A = ((1+z)/2)^m, B = ((1-z)/2)^m, s_i = 1 - 2 flips[i]."""
    half = fmpq(1, 2)
    a, b = fmpq_poly([half, half]) ** m, fmpq_poly([half, -half]) ** m
    total = fmpq_poly([1])
    for flip in flips:
        s = 1 - 2 * flip
        total *= a + b * fmpq(s.numerator, s.denominator)
    return [Fraction(int(total[i].p), int(total[i].q)) for i in range(len(flips) * m + 1)]


@pytest.mark.parametrize("m", range(1, 6))
@pytest.mark.parametrize("users", range(1, 4))
def test_enumeration_of_all_message_vectors_agrees_with_the_generating_function(users, m):
    sums = ModularSum(users, m)
    for data in product((0, 1), repeat=users):
        law = law_of(lambda coins, data=data: sum(sum(sums.randomize(x, coins)) for x in data))
        expected = generating_function([Fraction(x) for x in data], m)
        assert [law.get(ones, Fraction(0)) for ones in range(users * m + 1)] == expected


@pytest.mark.parametrize("m", range(1, 6))
def test_randomizer_is_uniform_over_the_vectors_of_its_parity(m):
    for x in (0, 1):
        law = law_of(lambda coins, x=x: tuple(ModularSum(1, m).randomize(x, coins)))
        assert law == {v: Fraction(1, 2 ** (m - 1)) for v in product((0, 1), repeat=m) if sum(v) % 2 == x}


def total_variation(users: int, ones: int, m: int) -> Fraction:
    """Between `ones` ones among the users and (ones mod 2, 0, ..., 0)."""
    held = generating_function([Fraction(i < ones) for i in range(users)], m)
    ideal = generating_function([Fraction(i < ones % 2) for i in range(users)], m)
    return sum((abs(a - b) for a, b in zip(held, ideal, strict=True)), Fraction(0)) / 2


def test_two_users_are_at_total_variation_exactly_two_to_the_one_minus_m():
    assert all(total_variation(2, 2, m) == Fraction(2, 2**m) for m in range(1, 12))


@pytest.mark.parametrize("m", range(3, 9))
def test_three_messages_or_more_keep_every_input_within_two_to_the_one_minus_m(m, sweep_factor):
    users = 12 if sweep_factor == 1 else 40
    worst = max(total_variation(n, ones, m) for n in range(2, users + 1) for ones in range(2, n + 1))
    assert worst == Fraction(2, 2**m)


def test_two_messages_do_not():
    assert total_variation(12, 12, 2) > Fraction(1, 2)


@pytest.mark.parametrize(("users", "m"), [(4, 2), (9, 2), (12, 3), (30, 4), (41, 6)])
def test_the_enclosure_of_one_input_holds_its_rational(users, m):
    for ones in {0, 1, 2, users // 2, users - 1, users}:
        ball, exact = share_tv_ball(users, ones, m, 64), share_tv(users, ones, m)
        assert ball.lower() <= arb(fmpq(exact.numerator, exact.denominator)).upper()
        assert arb(fmpq(exact.numerator, exact.denominator)).lower() <= ball.upper()


def test_a_large_pool_is_enclosed_and_not_written_out():
    found = protocol("modular-sum", n=100_000, m=8).privacy(tv=True)
    assert (found.kind, found.exact) == ("two-sided", None)
    assert 0 < float(found.lower) <= float(found.upper) <= 1.01 * float(found.lower)
