"""Two pools of randomized bits, for more users than outcomes can be enumerated: against sums over all of them."""

from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import comb, log2
from random import Random

import mpmath
import pytest
from flint import ctx
from panshuffle.exact.pairs.parity_pair import pair_divergence
from panshuffle.exact.pairs.two_coin_pools import Interval, TwoCoinPools
from panshuffle.exact.real import exp, real
from panshuffle.exact.views.flipped_bits import coin_pool, two_bit_sum_view

from tests.conftest import FULL


def pool(users, ones, p):
    """The laws of all ones where the changed user holds 1 and 0, by convolution of binomial coefficients."""
    q = 1 - p

    def coins(count, odds):
        return [comb(count, x) * odds**x * (1 - odds) ** (count - x) for x in range(count + 1)]

    def joined(a, b):
        return [
            sum((a[i] * b[x - i] for i in range(max(0, x - len(b) + 1), min(x + 1, len(a)))), 0 * p)
            for x in range(len(a) + len(b) - 1)
        ]

    others = joined(coins(ones, q), coins(users - 1 - ones, p))
    return joined(others, [p, q]), joined(others, [q, p])


def delta_at(one, two, factor):
    """The sum of the positive parts over all outcomes."""
    zero = 0 * factor
    return sum(
        (max(zero, a * b - factor * c * d) for a, c in zip(*one, strict=True) for b, d in zip(*two, strict=True)), zero
    )


def ends(curve, factor):
    low, high = curve.delta(factor).enclosure(12)
    return mpmath.mpf(low), mpmath.mpf(high)


@pytest.mark.parametrize(("users", "p", "factor"), [(17, "1/4", "2"), (20, "2/5", "11/10"), (18, "1/20", "30")])
def test_every_background_of_few_users(users, p, factor):
    """All pairs of backgrounds in fractions: the largest is in the enclosure, which is narrow."""
    pools = [pool(users, ones, Fraction(p)) for ones in range(users)]
    largest = max(delta_at(a, b, Fraction(factor)) for a, b in combinations_with_replacement(pools, 2))
    view = two_bit_sum_view(users, real(p))
    low, high = view.delta(real(factor)).enclosure(12)
    assert Fraction(low) <= largest <= Fraction(high) <= Fraction(low) * (1 + Fraction(1, 10**10))
    assert not view.two_sided


@pytest.mark.parametrize("draw", range(300 if FULL else 6))
def test_random_backgrounds_of_many_users_are_not_above(draw):
    """At 101 to 190 users: random pairs of backgrounds, and the corners, in 40 digits."""
    rng = Random(draw)
    users, p = rng.randint(101, 190), Fraction(rng.randint(1, 49), 100)
    spread = 2 * (1 - 2 * p) / float(users * p * (1 - p)) ** 0.5
    eps = Fraction(f"{float(spread) * rng.uniform(0.05, 6):.6f}")
    view = two_bit_sum_view(users, real(p))
    low, high = ends(view.curve, exp(real(eps)))
    with mpmath.workdps(40):
        factor, odds = mpmath.exp(mpmath.mpf(eps.numerator) / eps.denominator), mpmath.mpf(p.numerator) / p.denominator
        places = {(users - 1, users - 1), (0, users - 1), tuple(rng.randrange(users) for _ in range(2))}
        found = [delta_at(pool(users, a, odds), pool(users, b, odds), factor) for a, b in places]
    assert max(found) <= high * (1 + mpmath.mpf(10) ** -11)
    assert low <= high <= max(low * mpmath.mpf("1.06"), mpmath.mpf(10) ** -60)


def test_the_ends_in_doubles_hold_the_value_in_balls():
    """At random backgrounds and intervals: an interval's bound is above all of its backgrounds."""
    rng = Random(1)
    for _ in range(200 if FULL else 20):
        users, p = rng.randint(20, 700), real(Fraction(rng.randint(1, 49), 100))
        factor = exp(real(Fraction(rng.randint(1, 100), 100)))
        pools = TwoCoinPools(users, p)
        first, last = sorted(rng.randrange(users) for _ in range(2))
        one, two = rng.randint(first, last), rng.randrange(users)
        low, high = pools.ends(one, two, factor.ball(96))
        with ctx.workprec(400):
            first_pool, second_pool = (coin_pool(users, held, p, 400) for held in (one, two))
            ball = pair_divergence(first_pool, second_pool.turned, factor.ball(400))
        assert low <= ball.upper()
        assert ball.lower() <= high
        bound = pools.pool(Interval(first, last)).mean(pools.pool(Interval(two, two)).at_most, factor.ball(96))
        assert ball.lower() <= bound


@pytest.mark.long
def test_more_users_and_a_larger_eps_lower_delta():
    last = mpmath.mpf(1)
    for users in (16, 17, 40, 100, 101, 300, 1000, 5000, 20000)[:: 1 if FULL else 2]:
        low, high = ends(two_bit_sum_view(users, real("1/4")).curve, exp(real("1/5")))
        assert low <= last
        last = high
    curve = two_bit_sum_view(3000, real("1/10")).curve
    values = [ends(curve, exp(real(Fraction(i, 50)))) for i in range(0, 12, 1 if FULL else 3)]
    assert all(later[0] <= earlier[1] and later[1] <= earlier[1] for earlier, later in pairwise(values))


@pytest.mark.parametrize("users", [100, 1000, 10**4, 10**5] if FULL else [100, 1000])
def test_eps_is_known_within_half_a_percent(users):
    low, high = two_bit_sum_view(users, real("1/4")).epsilon(real("1e-9")).enclosure(8)
    assert Fraction(low) <= Fraction(high) <= Fraction(low) * Fraction(1005, 1000)
    assert -0.6 < log2(float(low) * users**0.5 / 7.0) < 0.6


def test_a_flip_that_hardly_ever_happens():
    for users in (5, 60, 300):
        low, high = two_bit_sum_view(users, real("1e-300")).delta(exp(real(20))).enclosure(10)
        assert Fraction(low) > Fraction(999999, 10**6)
        assert Fraction(high) <= 1


@pytest.mark.parametrize(
    ("users", "p", "factor", "truth"),
    [(200, "1e-400", "2", 1), (200, "1e-60", "1e119", Fraction(9, 10)), (50, "1-exp(-1e-25)", "2", 1)],
)
def test_probabilities_at_the_end_of_the_range(users, p, factor, truth):
    """All hold 1: the outcome of ones alone has nearly all mass and the ratio (1/p)^2, so delta is about 1 - E p^2."""
    low, high = two_bit_sum_view(users, real(p)).delta(real(factor)).enclosure(10)
    assert Fraction(low) <= truth <= Fraction(high) <= Fraction(low) + Fraction(1, 10**8)
