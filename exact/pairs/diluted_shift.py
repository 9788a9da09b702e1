"""A lower bound for a state of P_UT among dummies whose elements nobody knows: the difference of its two pools.

The state after one element holds `dummies` uniform elements and that one, and (ones, zeros) of a pool are its count and
what is left of the executions, each with Pois(mu) more.  From a to b, the number
    (ones - zeros) of the pool of a, less (ones - zeros) of the pool of b
goes from V + 2 to V - 2, V = 2K + X: K is how many more dummies hold a than b, a sum of steps +1, -1 with probability
1/k each, and X is Skellam noise of variance 4 mu.  It is a function of the view, so that each of its tails gives a
lower bound: P[V + 2 >= c] - E P[V - 2 >= c] for every c.  With probability `unused` the element is left out, the law of
the state is the same for both, and V + 2 is at least as likely to reach c as what is there instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate

from flint import arb, ctx, fmpz_poly
from panshuffle.exact.laws.integer_law import IntegerLaw
from panshuffle.exact.laws.skellam import LARGEST_VARIANCE, beyond, masses, reach
from panshuffle.exact.real import Real

PRECISION, LAW_BITS = 256, 288
"""Of balls, and of the masses of K: ends below 2^-256 are cut off, and rounding leaves as much."""
MOST_EACH = 10**5
"""Dummies for each element: K has some forty deviations of masses, of which each tail is a sum."""
LARGEST_EXP_EPS = 1 << 20
"""Beyond this e^eps nothing is said: the cut would be far out in the noise."""
CUTS = (-10, -5, -2, 0, 2, 5, 10)
"""Tails that are tried: around the one that would be the best for normal noise, in twentieths of its deviation."""


def difference_floor(dummies: int, k: int, mu: Real, unused: Real, exp_eps: Real) -> arb:
    """A lower bound of delta at e^eps; 0 where nothing is shown.  *Exactness*: sound lower."""
    v = 4 * mu
    if dummies > MOST_EACH * k or v > LARGEST_VARIANCE or exp_eps > LARGEST_EXP_EPS:
        return arb(0)
    more = difference_law(dummies, k)
    with ctx.workprec(PRECISION):
        factor, left_out = exp_eps.ball_here(), unused.ball_here()
        found = arb(0)
        for high, low in tails(more, v, 8 * Fraction(dummies, k), factor):
            value = (1 - left_out) * (high.lower() - factor * low.upper()) - left_out * (factor - 1) * high.upper()
            found = found.max(value.lower())
        return found


@cache
def difference_law(dummies: int, k: int) -> IntegerLaw:
    """K, how many more of the dummies hold a than b."""
    step = [(weight << LAW_BITS) // k for weight in (1, k - 2, 1)]
    return IntegerLaw(fmpz_poly(step), -1, LAW_BITS).times(dummies, PRECISION)


def tails(more: IntegerLaw, v: Real, spread: Fraction, factor: arb) -> Iterator[tuple[arb, arb]]:
    """P[V + 2 >= c] and P[V - 2 >= c] for some cuts c, at the working precision."""
    variance = v.ball_here() + arb(spread.numerator) / spread.denominator
    best, deviation = variance * (factor.log() / 4).sinh(), variance.sqrt()
    cuts = [int((best + i * deviation / 20).mid().floor().unique_fmpz() or 0) for i in CUTS]
    upper = noise_tails(v, max(cuts) + 2 - 2 * more.first)
    for cut in cuts:
        yield sum_tail(more, upper, cut - 2), sum_tail(more, upper, cut + 2)


def noise_tails(v: Real, far: int) -> list[arb]:
    """P[X >= 0], P[X >= 1], ... up to some place beyond `far`."""
    *found, last, after = masses(v, 0, reach(v, max(far, 0), ctx.prec), ctx.prec)
    return list(accumulate(reversed(found), initial=last + beyond(last, after)))[::-1]


def sum_tail(more: IntegerLaw, upper: list[arb], cut: int) -> arb:
    """P[2K + X >= cut]: what is missing of K counts from 0 to all."""
    total = more.missing
    for place, mass in more.items():
        x = cut - 2 * place
        total += mass * (tail_at(upper, x) if x >= 0 else 1 - tail_at(upper, 1 - x))
    return total / (1 << more.bits)


def tail_at(upper: list[arb], x: int) -> arb:
    """P[X >= x] for x >= 0."""
    return upper[x] if x < len(upper) else arb(0).union(upper[-1])
