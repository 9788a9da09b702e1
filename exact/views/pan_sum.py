"""Q_ZSUM: (I_t, output) for every intrusion time t."""

from __future__ import annotations

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, THIS_PAIR, PaperBound, View, exponential_bound
from panshuffle.exact.real import HALF, Real, real
from panshuffle.exact.views import binomial

WHY = (
    "If the changed bit is among the first t, the view is I_t and an output that is I_t plus something "
    "independent of the change, so it is worth as much as I_t, a shift of Bin(lam, 1/2); otherwise I_t is "
    "independent of the change and the output less I_t is such a shift.  Both are the same pair at every t."
)


def view(lam: int, direction: str | None = None) -> View:
    """The joint view, at every intrusion time."""
    curve = binomial.shift_curve(lam, HALF, direction)
    return View(curve, ALL_NEIGHBOURS if direction is None else THIS_PAIR, WHY, paper_bound(real(lam)))


def paper_bound(lam: Real) -> PaperBound:
    """Theorem zerocount-pan: lam >= 20 c^2 ln(2/delta)."""
    return exponential_bound("pan-sum", lam / 20)
