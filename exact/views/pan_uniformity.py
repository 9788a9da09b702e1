"""Q_P on P_UT: (I_t, output), bounded by the two batches of messages, and from below by the state after one element."""

from __future__ import annotations

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, Curve, View, enclosed, worse
from panshuffle.exact.pairs.diluted_shift import difference_floor
from panshuffle.exact.parameters import blocks, check_count, check_positive
from panshuffle.exact.real import Real, exp, log, real
from panshuffle.exact.views import uniformity

WHY = (
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


def view(n: int, k: int, lam: Real, t: int | None = None, any_k: bool = False) -> View:
    """The joint view at time t, or at the worst time: an upper bound, and a lower one at time 1 unless k is any."""
    check_count("n", n)
    check_positive("lam", lam)
    uniformity.check_mean(lam, real(1))
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one stream.")
    if n < 3:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With n < 3 the stream is empty.")
    above = upper_curve(n, lam, t)
    paper = uniformity.paper_bound(lam, real(1) / 3, k, pool=False)
    if any_k or t not in (None, 1):
        return View(above, ALL_NEIGHBOURS, WHY, paper, upper_bound=True)
    curve = enclosed(floor_curve(n, k, lam), above)
    return View(curve, ALL_NEIGHBOURS, f"{WHY}  {FROM_BELOW}", paper, two_sided=True)


def upper_curve(n: int, lam: Real, t: int | None = None) -> Curve:
    """The bound by the batches."""
    return worse(*(uniformity.pair_curve(lam * size / (2 * real(n))) for size in batches(n, t)))


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
