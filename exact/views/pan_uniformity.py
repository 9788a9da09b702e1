"""Q_P on P_UT: (I_t, output), bounded by the two batches of messages before and after the intrusion."""

from __future__ import annotations

from exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, View, worse
from exact.numbers.real import Real, real
from exact.parameters import blocks, check_count, check_positive
from exact.views import uniformity

WHY = (
    "The output is computed from I_t and the messages after t, so the view is bounded by those two independent "
    "batches. The changed element is in one of them, with at least the dummies of that batch beside it, and the "
    "pair of laws of a batch of N executions is that of P_UT with gamma = N/n, whatever the other executions "
    "hold.  It is a bound: an element beyond n' is not used at all, and the output tells less than the later "
    "batch."
)


def view(n: int, k: int, lam: Real, t: int | None = None) -> View:
    """An upper bound on the joint view at time t, or at the worst time."""
    check_count("n", n)
    check_positive("lam", lam)
    uniformity.check_mean(lam, real(1))
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one stream.")
    if n < 3:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With n < 3 the stream is empty.")
    curves = [uniformity.pair_curve(lam * size / (2 * real(n))) for size in batches(n, t)]
    paper = uniformity.paper_bound(lam, real(1) / 3, k, pool=False)
    return View(worse(*curves), ALL_NEIGHBOURS, WHY, paper, upper_bound=True)


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
