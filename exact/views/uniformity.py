"""P_UT: by Poisson thinning a pool shows independent Poisson counts of noise zeros and ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate

from flint import arb, ctx, fmpz_poly
from panshuffle.exact.curves.curve import (
    ALL_NEIGHBOURS,
    NO_NEIGHBOUR,
    Curve,
    PaperBound,
    View,
    enclosed,
    exponential_bound,
    worse,
)
from panshuffle.exact.laws.integer_law import IntegerLaw
from panshuffle.exact.laws.noise import LARGEST_VARIANCE, skellam_beyond, skellam_masses, skellam_reach
from panshuffle.exact.pairs.opposite_shifts import poisson_pool_ceiling, poisson_pool_delta
from panshuffle.exact.pairs.poisson_pair import LARGEST_MEAN as LARGEST_MEAN_IN_BALLS
from panshuffle.exact.pairs.poisson_pair import poisson_pair_delta
from panshuffle.exact.parameters import blocks, check_count, check_positive, refuse_if
from panshuffle.exact.real import Real, exp, log, real

LARGEST_MEAN = 10**10
UNIFORMITY_WHY = (
    "The pool of j shows (c_j + O, N - c_j + Z) with O, Z independent Pois(gamma*lam/2), so a changed user moves "
    "one unit from zeros to ones in one pool and back in another: the same two pairs of laws whatever the others "
    "hold, and the pools are independent.  Exchanging zeros and ones exchanges the directions."
)


def uniformity_view(lam: Real, gamma: Real, k: int | None = None, pool: bool = False) -> View:
    """The view of the two pools that a changed user touches, or of one.

    >>> from panshuffle.exact.real import real
    >>> uniformity_view(real(10), real(1), pool=True).curve.delta(real(2)).enclosure(12)
    ('0.0704821085997', '0.0704821085998')
    """
    check_positive("lam", lam)
    if k is not None:
        check_count("k", k)
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one dataset.")
    mu = check_mean(lam, gamma)
    paper = None if k is None else paper_bound(lam, gamma, k, pool)
    if pool:
        return View(pool_curve(mu), ALL_NEIGHBOURS, UNIFORMITY_WHY, paper)
    return View(pair_curve(mu), ALL_NEIGHBOURS, UNIFORMITY_WHY, paper, two_sided=mu > LARGEST_MEAN_IN_BALLS)


def check_mean(lam: Real, gamma: Real) -> Real:
    """gamma*lam/2.  *Raises* `ParameterError` where that is too large."""
    mu = gamma * lam / 2
    refuse_if(mu > LARGEST_MEAN, "lam", lam, f"at most {2 * LARGEST_MEAN}/gamma: the work grows with its square root")
    return mu


def pool_curve(mu: Real) -> Curve:
    """One pool."""
    return Curve(partial(poisson_pool_delta, mu), limit=exp(-mu), ceiling=partial(poisson_pool_ceiling, mu))


def pair_curve(mu: Real) -> Curve:
    """Two pools."""
    return Curve(partial(poisson_pair_delta, mu), limit=2 * exp(-mu) - exp(-2 * mu))


def paper_bound(lam: Real, gamma: Real, k: int, pool: bool) -> PaperBound:
    """Theorem ut-upper-bound-prelim: lam = 40 c^2 ln(2k/delta) gives (2 eps, 8 delta^gamma).

    Its proof gives (eps, 4 delta^gamma) for one pool.
    """
    factor, eps_factor = (4, 1) if pool else (8, 2)
    return exponential_bound("uniformity-privacy", lam / 40, factor, gamma, eps_factor, 2 * k)


# P_UT after domain compression: P_UT on k_hat groups.


def compressed_uniformity_view(lam: Real, gamma: Real, k: int, k_hat: int, pool: bool = False) -> View:
    """The view of P_UT on the groups: for each partition, neighbours hold one group or another.

    Where k_hat does not divide k, a sample is replaced by padding with a probability that does not depend on it,
    which mixes both laws with a common one; then the curve is an upper bound.
    """
    groups = uniformity_view(lam, gamma, k_hat, pool)
    return replace(groups, upper_bound=bool(k % k_hat))


# Q_P on P_UT: (I_t, output), bounded by the two batches of messages, and from below by the state after one element.


PAN_UNIFORMITY_WHY = (
    "The output is computed from I_t and the messages after t, so the view is bounded by those two independent "
    "batches. The changed element is in one of them, with at least the dummies of that batch beside it, and the "
    "pair of laws of a batch of N executions is that of P_UT with gamma = N/n, whatever the other executions "
    "hold.  It is a bound: an element beyond n' is not used at all, and the output tells less than the later "
    "batch."
)
FROM_BELOW = (
    "From below: what the difference of the two pools of the changed element tells after the first element, with the "
    "dummies' own elements, which nobody knows, as further noise."
)


def pan_uniformity_view(n: int, k: int, lam: Real, t: int | None = None, any_k: bool = False) -> View:
    """The joint view at time t, or at the worst time: an upper bound, and a lower one at time 1 unless k is any."""
    check_count("n", n)
    check_positive("lam", lam)
    check_mean(lam, real(1))
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one stream.")
    if n < 3:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With n < 3 the stream is empty.")
    above = upper_curve(n, lam, t)
    paper = paper_bound(lam, real(1) / 3, k, pool=False)
    if any_k or t not in (None, 1):
        return View(above, ALL_NEIGHBOURS, PAN_UNIFORMITY_WHY, paper, upper_bound=True)
    curve = enclosed(floor_curve(n, k, lam), above)
    return View(curve, ALL_NEIGHBOURS, f"{PAN_UNIFORMITY_WHY}  {FROM_BELOW}", paper, two_sided=True)


def upper_curve(n: int, lam: Real, t: int | None = None) -> Curve:
    """The bound by the batches."""
    return worse(*(pair_curve(lam * size / (2 * real(n))) for size in batches(n, t)))


def floor_curve(n: int, k: int, lam: Real) -> Curve:
    """The lower bound by the state after the first element, which is left out with probability (7/9)^n."""
    dummies = blocks(n)[0]
    mu, unused = lam * (dummies + 1) / (2 * real(n)), exp(n * log(real(7) / 9))
    return Curve(lambda exp_eps, precision: difference_floor(dummies, k, mu, unused, exp_eps))


def batches(n: int, t: int | None) -> list[int]:
    """How many executions the batch with the changed element has: the least, over the places it may have.

    Before the intrusion there are the first dummies and t elements, after it the other elements and the last
    dummies.  Fewer executions are less private, so for the worst t the least batch suffices.

    >>> batches(9, 1), batches(9, 0), batches(9, None)
    ([4, 5], [6], [4])
    """
    before, stream, after = blocks(n)
    if t is None:
        return [min(before, after) + 1]
    return ([before + t] if t > 0 else []) + ([stream - t + after] if t < stream else [])


# A lower bound for a state of P_UT among dummies whose elements nobody knows: the difference of its two pools.
#
# The state after one element holds `dummies` uniform elements and that one, and (ones, zeros) of a pool are its count
# and what is left of the executions, each with Pois(mu) more.  From a to b, the number
#     (ones - zeros) of the pool of a, less (ones - zeros) of the pool of b
# goes from V + 2 to V - 2, V = 2K + X: K is how many more dummies hold a than b, a sum of steps +1, -1 with probability
# 1/k each, and X is Skellam noise of variance 4 mu.  It is a function of the view, so that each of its tails gives a
# lower bound: P[V + 2 >= c] - E P[V - 2 >= c] for every c.  With probability `unused` the element is left out, the law
# of the state is the same for both, and V + 2 is at least as likely to reach c as what is there instead.


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
    *found, last, after = skellam_masses(v, skellam_reach(v, max(far, 0), ctx.prec), ctx.prec)
    return list(accumulate(reversed(found), initial=last + skellam_beyond(last, after)))[::-1]


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
