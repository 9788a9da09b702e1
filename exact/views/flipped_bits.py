"""The Poisson-binomial sum: N users send m copies of their bit, each flipped with probability p < 1/2.

Every user sends m coins, so `exact.randomizers.two_messages` has its best events, its bounds and its end.  The shuffled
bits are their number of ones up to a uniform order.  Exchanging 0 and 1 exchanges the directions, and a background with
its mirror image; so one direction is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from math import comb, prod

from flint import arb, arb_poly, ctx
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, DISJOINT, NO_NEIGHBOUR, Curve, View, enclosed
from panshuffle.exact.laws.noise import binomial_lower_ball
from panshuffle.exact.laws.pool_law import Coin, flipped_bits
from panshuffle.exact.pairs.divergence import pair_gain
from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta
from panshuffle.exact.pairs.parity_pair import Pool, pair_divergence
from panshuffle.exact.pairs.two_coin_pools import Found, TwoCoinPools
from panshuffle.exact.parameters import check_between, check_count, refuse_if
from panshuffle.exact.randomizers.enumeration import cost
from panshuffle.exact.randomizers.randomizer import Multiset, Randomizer
from panshuffle.exact.randomizers.shuffled_view import MOST_HONEST, shuffled_view
from panshuffle.exact.randomizers.two_messages import Coins, Worst, WorstCurve
from panshuffle.exact.real import HALF, Real, largest

MOST_COPIES = 64
"""Each copy is one more mass of R to compute."""
MOST_COST = 100_000
"""Enumeration that takes longer than a tenth of a second a point is slower than branch and bound."""
POISSON_BINOMIAL_ENUMERATED = (
    "The shuffled bits are their number of ones up to a uniform order.  Every background of the other users is "
    "enumerated, and exchanging 0 and 1 exchanges the directions."
)
BOUNDED = (
    "The shuffled bits are their number of ones up to a uniform order, and the best event is that there are at least "
    "that many.  Above: backgrounds in which nearly as many users hold 1 are bounded together, by telling the messages "
    "of those that differ; all of them are covered.  Below: this background (users with 1, users with 0), exactly."
)


def check_flip(m: int, p: Real) -> None:
    """*Raises* `ParameterError` unless 1 <= m <= 64 and 0 < p < 1/2."""
    check_count("m", m)
    refuse_if(m > MOST_COPIES, "m", m, f"a whole number from 1 to {MOST_COPIES}")
    refuse_if(not (p > 0 and p < Fraction(1, 2)), "p", p, "above 0 and below 1/2")


def poisson_binomial_view(users: int, m: int, p: Real) -> View:
    """The view of N honest users.

    >>> from panshuffle.exact.real import real
    >>> poisson_binomial_view(1, 2, real("1/4")).curve.delta(real(3)).exact
    Fraction(3, 8)
    """
    check_count("n", users)
    check_flip(m, p)
    refuse_if(users * m > MOST_HONEST, "n", users, f"such that there are at most {MOST_HONEST} messages")
    randomizer = user(m, p)
    if cost(randomizer, users) <= MOST_COST:
        found = shuffled_view(randomizer, users)
        return View(found.view.curve, ALL_NEIGHBOURS, POISSON_BINOMIAL_ENUMERATED)
    worst = Worst([Coins(1 - p, p, m)], users)
    curve = WorstCurve.of(worst, ((1 - p) / p) ** m)

    def held(exp_eps: Real | None) -> tuple[int, int] | None:
        place = None if exp_eps is None else worst.best(exp_eps)
        return None if place is None else (place.ones, place.zeros)

    return View(curve, ALL_NEIGHBOURS, BOUNDED, background_at=held, two_sided=True)


def user(m: int, p: Real) -> Randomizer:
    """One user, as a randomizer."""
    flipped, kept = ([comb(m, i) * q**i * (1 - q) ** (m - i) for i in range(m + 1)] for q in (p, 1 - p))

    def law(masses: list[Real]) -> dict[Multiset, Real]:
        return {(m - i, i): mass for i, mass in enumerate(masses)}

    return Randomizer(("0", "1"), ("0", "1"), (law(flipped), law(kept)))


# The labelled two-bit sum: two pools of randomized response, both touched by a changed user.


LARGEST_RATIONAL = 16
"""Up to this many users delta is summed over all outcomes in fractions."""
LARGEST_EXACT = 100
"""Up to this many users every pair of backgrounds is compared, whatever eps is."""
LARGEST_IN_BALLS = 4_000
"""Beyond this many users a pair of backgrounds in balls takes longer than a tenth of a second."""
LARGEST_IN_DOUBLES = 3_000_000
"""Beyond this many users the laws in doubles take longer than some ten seconds: the upper end is that of this many."""
LARGEST_REACHED = 1_000_000_000
"""Beyond this many users a law in doubles takes too much memory, and the lower end is 0."""
KNOWN_BITS = 16
"""A mass that is known to fewer bits tells nothing about the ratio."""
DEEP = 1e-60
"""Below this the laws in doubles tell nothing."""
TWO_BIT_SUM_ENUMERATED = (
    "Exchanging 0 and 1 in a pool exchanges the directions, so the upper law may hold 1 in each pool; the number "
    "of other users who hold 1 is enumerated, for each pool."
)
ENCLOSED = (
    "Above: backgrounds in which nearly as many users hold 1 are bounded together, for each pool, by telling the bits "
    "of those that differ; where that can't be seen to be less than what is reached, they are divided.  Below: this "
    "background (users with 1 in the first pool, in the second), by an event."
)


def two_bit_sum_view(users: int, p: Real, pool: bool = False) -> View:
    """The view of both pools, or of one, which is that of one bit of the Poisson-binomial sum."""
    check_count("n", users)
    check_between("p", p, Fraction(0), Fraction(1, 2))
    if p.fraction == Fraction(1, 2):
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With p = 1/2 the messages do not depend on the data.")
    if p.fraction == 0:
        return View(DISJOINT, ALL_NEIGHBOURS, "With p = 0 both sums are in the clear.")
    return poisson_binomial_view(users, 1, p) if pool else both_pools(users, p)


def both_pools(users: int, p: Real) -> View:
    """Both pools of users who flip their bits with a probability between 0 and 1/2.

    An outcome's ratio is at most the pure e^eps, so at e^eps = E its gain is at most 1 - E/pure of its mass.
    """
    pools, pure = TwoCoinPools(users, p), ((1 - p) / p) ** 2
    rational = p.fraction if users <= LARGEST_RATIONAL else None
    exact = None if rational is None else partial(rational_delta, users, rational)
    if users <= LARGEST_EXACT:
        return View(curve_of(pools, True, pure, exact), ALL_NEIGHBOURS, TWO_BIT_SUM_ENUMERATED)

    def held(exp_eps: Real | None) -> tuple[int, int] | None:
        return None if exp_eps is None or exp_eps >= pure else found_at(pools, exp_eps).place

    both = enclosed(curve_of(pools, False, pure), curve_of(pools, True, pure))
    return View(both, ALL_NEIGHBOURS, ENCLOSED, background_at=held, two_sided=True)


def rational_delta(users: int, p: Fraction, e: Fraction) -> Fraction:
    """The largest delta over all backgrounds, from all outcomes.

    >>> rational_delta(1, Fraction(1, 4), Fraction(3))
    Fraction(3, 8)
    """
    pools = [flipped_bits(1, Real(p)).change(users, ones) for ones in range(users)]
    return max(pair_gain(first, second, e) for first, second in combinations_with_replacement(pools, 2))


def found_at(pools: TwoCoinPools, exp_eps: Real) -> Found:
    """Both ends in doubles at e^eps; more users only lower delta, so the upper one may be that of fewer."""
    users = pools.users
    if users <= LARGEST_IN_DOUBLES:
        return pools.find(exp_eps)
    above = fewer_pools(pools.p).find(exp_eps).high
    if users > LARGEST_REACHED:
        return Found(0.0, above, (users - 1, users - 1), None)
    return pools.reached(exp_eps)._replace(high=above)


@lru_cache(maxsize=2)
def fewer_pools(p: Real) -> TwoCoinPools:
    """The pools of as many users as can be answered for."""
    return TwoCoinPools(LARGEST_IN_DOUBLES, p)


def curve_of(
    pools: TwoCoinPools, above: bool, pure: Real, exact: Callable[[Fraction], Fraction] | None = None
) -> Curve:
    """The curve, its lower or its upper end where both differ."""

    def ball(exp_eps: Real, precision: int) -> arb:
        found = found_at(pools, exp_eps)
        with ctx.workprec(precision):
            if found.pairs is not None and pools.users <= LARGEST_IN_BALLS:
                return largest(pair_ball(pools, pair, exp_eps, precision) for pair in found.pairs)
            if not above:
                few = pools.users <= LARGEST_IN_BALLS
                return pair_ball(pools, found.place, exp_eps, precision) if few else arb(found.low)
            most = arb(found.high).min((1 - exp_eps / pure).ball(precision))
            if found.high > DEEP or pools.users > LARGEST_IN_DOUBLES:
                return most
            return most.min(coins_bound(pools.users, pools.p, exp_eps, precision))

    return Curve(ball, exact, pure)


def pair_ball(pools: TwoCoinPools, pair: tuple[int, int], exp_eps: Real, precision: int) -> arb:
    """delta at a background, at the working precision; both laws of the second pool are exchanged."""
    one, two = (coin_pool(pools.users, ones, pools.p, precision) for ones in pair)
    return pair_divergence(one, two.turned, exp_eps.ball(precision))


@lru_cache(maxsize=64)
def coin_pool(users: int, ones: int, p: Real, precision: int) -> Pool:
    """The laws of a pool where the changed user holds 1, and 0, where they are known well; `ones` others hold 1."""
    with ctx.workprec(precision):
        low, high = p.ball(precision), (1 - p).ball(precision)
        parts = ((Coin(1 - p), ones), (Coin(p), users - 1 - ones))
        law = prod((arb_poly(coin.masses(count, precision)) for coin, count in parts), start=arb_poly([1]))
        laws = [list((law * arb_poly(user)).coeffs()) for user in ([low, high], [high, low])]
        pairs = list(zip(*laws, strict=True))
        known, others = ([pair for pair in pairs if all(map(is_known, pair)) == kept] for kept in (True, False))
        rests = [sum((pair[side].abs_upper() for pair in others), arb(0)).upper() for side in (0, 1)]
        return Pool([pair[0] for pair in known], [pair[1] for pair in known], *rests)


def is_known(mass: arb) -> bool:
    """Whether a mass is known to some bits."""
    return mass.rel_accuracy_bits() >= KNOWN_BITS and mass > 0


def coins_bound(users: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """The least of several bounds, each with its own M0, for a delta that is too small for doubles.

    A randomized bit is a fair coin with probability 2p and the true bit otherwise.  Telling who tossed a fair coin, and
    the changed user's true bits, leaves Bin(M, 1/2) noise in a pool with M ~ Bin(N-1, 2p); more coins are less
    revealing, so the bound takes a least M0 and adds the probability of fewer.
    """
    found = arb(1)
    for coins in candidates(users, p):
        found = found.min(bound(users, p, coins, exp_eps, precision))
    return found


def candidates(users: int, p: Real) -> list[int]:
    """Values of M0: the mean of M less some standard deviations."""
    mean = 2 * float(p) * (users - 1)
    deviation = max(1.0, (mean * (1 - 2 * float(p))) ** 0.5)
    return sorted({max(0, int(mean - steps * deviation)) for steps in range(2, 14)})


def bound(users: int, p: Real, coins: int, exp_eps: Real, precision: int) -> arb:
    """P[M < M0], for each pool, plus delta of the noise with M0 fair coins."""
    if coins == 0:
        return arb(1)
    fewer = binomial_lower_ball(users - 1, 2 * p, coins - 1, precision)
    return 2 * fewer + binomial_pair_delta(coins, HALF, exp_eps, precision)
