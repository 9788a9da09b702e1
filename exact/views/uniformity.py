"""P_UT: by Poisson thinning a pool shows independent Poisson counts of noise zeros and ones."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

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
from panshuffle.exact.pairs.diluted_shift import difference_floor
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
