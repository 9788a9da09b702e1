"""The labelled two-bit sum: two pools of randomized response, both touched by a changed user."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from exact.curves.curve import ALL_NEIGHBOURS, DISJOINT, NO_NEIGHBOUR, Curve, View
from exact.laws.families import law_of_bernoulli, law_of_binomial
from exact.laws.law import Law, convolution, product
from exact.laws.noise import binomial_lower_ball
from exact.numbers.certified import largest
from exact.numbers.real import HALF, Real
from exact.pairs.divergence import hockey_stick
from exact.pairs.opposite_shifts import binomial_pair_delta
from exact.pairs.shift import shift_delta
from exact.parameters import check_between, check_count

LARGEST_PAIR = 16
LARGEST_POOL = 40
FEW = 12
ENUMERATED = (
    "Exchanging 0 and 1 in a pool exchanges the directions, so the upper law may hold 1 in each pool; the number "
    "of other users who hold 1 is enumerated, for each pool."
)
BOUNDED = (
    "A randomized bit is a fair coin with probability 2p and the true bit otherwise.  Telling the adversary who "
    "tossed a fair coin, and the changed user's true bits, leaves Bin(M, 1/2) noise in a pool with M ~ Bin(N-1, "
    "2p); more coins are less revealing, so the bound takes a least M0 and adds the probability of fewer."
)


def view(users: int, p: Real, pool: bool = False) -> View:
    """The view of both pools, or of one: exact for few users, an upper bound for many."""
    check_count("n", users)
    check_between("p", p, Fraction(0), Fraction(1, 2))
    if p.fraction == Fraction(1, 2):
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With p = 1/2 the messages do not depend on the data.")
    if p.fraction == 0:
        return View(DISJOINT, ALL_NEIGHBOURS, "With p = 0 both sums are in the clear.")
    pure = ((1 - p) / p) ** (1 if pool else 2)
    if users <= (LARGEST_POOL if pool else LARGEST_PAIR):
        return View(enumerated_curve(users, p, pool, pure), ALL_NEIGHBOURS, ENUMERATED)
    return View(bounded_curve(users, p, pool, pure), ALL_NEIGHBOURS, BOUNDED, upper_bound=True)


@lru_cache(maxsize=256)
def pool_laws(users: int, ones: int, p: Real) -> tuple[Law, Law]:
    """A pool where the changed user holds 1, and 0; `ones` of the others hold 1."""
    others = convolution(law_of_binomial(ones, 1 - p), law_of_binomial(users - 1 - ones, p))
    return convolution(others, law_of_bernoulli(1 - p)), convolution(others, law_of_bernoulli(p))


def enumerated_curve(users: int, p: Real, pool: bool, pure: Real) -> Curve:
    """The largest delta over all backgrounds."""
    backgrounds = [(a,) for a in range(users)] if pool else [(a, b) for a in range(users) for b in range(a, users)]

    def pairs() -> list[tuple[Law, Law]]:
        laws = [[pool_laws(users, ones, p) for ones in background] for background in backgrounds]
        return [(product(*(upper for upper, _ in part)), product(*(lower for _, lower in part))) for part in laws]

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision):
            return largest(hockey_stick(upper, lower, exp_eps).ball(precision) for upper, lower in pairs())

    def exact(e: Fraction) -> Fraction:
        return max(hockey_stick(upper, lower, Real(e)).exact or Fraction(0) for upper, lower in pairs())

    return Curve(ball, exact if p.fraction is not None else None, pure)


def bounded_curve(users: int, p: Real, pool: bool, pure: Real) -> Curve:
    """The least of several bounds, each with its own M0, and of delta for a few users, which more users only lower."""

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision):
            bounds = [bound(users, p, pool, coins, exp_eps, precision) for coins in candidates(users, p)]
            least = enumerated_curve(FEW, p, pool, pure).ball(exp_eps, precision)
            for value in bounds:
                least = least.min(value)
            return least

    return Curve(ball, None, pure)


def candidates(users: int, p: Real) -> list[int]:
    """Values of M0: the mean of M less some standard deviations."""
    mean = 2 * float(p) * (users - 1)
    deviation = max(1.0, (mean * (1 - 2 * float(p))) ** 0.5)
    return sorted({max(0, int(mean - steps * deviation)) for steps in range(2, 14)})


def bound(users: int, p: Real, pool: bool, coins: int, exp_eps: Real, precision: int) -> arb:
    """P[M < M0], for each pool, plus delta of the noise with M0 fair coins."""
    if coins == 0:
        return arb(1)
    fewer = binomial_lower_ball(users - 1, 2 * p, coins - 1, precision)
    if pool:
        return fewer + shift_delta(coins, HALF, exp_eps, precision)
    return 2 * fewer + binomial_pair_delta(coins, HALF, exp_eps, precision)
