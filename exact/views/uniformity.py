"""P_UT: by Poisson thinning a pool shows independent Poisson counts of noise zeros and ones."""

from __future__ import annotations

from functools import partial

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, Curve, PaperBound, View, exponential_bound
from panshuffle.exact.pairs.opposite_shifts import poisson_pool_ceiling, poisson_pool_delta
from panshuffle.exact.pairs.poisson_pair import LARGEST_MEAN as LARGEST_MEAN_IN_BALLS
from panshuffle.exact.pairs.poisson_pair import poisson_pair_delta
from panshuffle.exact.parameters import check_count, check_positive, refuse_if
from panshuffle.exact.real import Real, exp

LARGEST_MEAN = 10**10
WHY = (
    "The pool of j shows (c_j + O, N - c_j + Z) with O, Z independent Pois(gamma*lam/2), so a changed user moves "
    "one unit from zeros to ones in one pool and back in another: the same two pairs of laws whatever the others "
    "hold, and the pools are independent.  Exchanging zeros and ones exchanges the directions."
)


def view(lam: Real, gamma: Real, k: int | None = None, pool: bool = False) -> View:
    """The view of the two pools that a changed user touches, or of one.

    >>> from panshuffle.exact.real import real
    >>> view(real(10), real(1), pool=True).curve.delta(real(2)).enclosure(12)
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
        return View(pool_curve(mu), ALL_NEIGHBOURS, WHY, paper)
    return View(pair_curve(mu), ALL_NEIGHBOURS, WHY, paper, two_sided=mu > LARGEST_MEAN_IN_BALLS)


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
