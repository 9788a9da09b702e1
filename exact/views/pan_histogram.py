"""The pan-private histogram: (I_t, output) for every intrusion time t."""

from __future__ import annotations

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, THIS_PAIR, View, exponential_bound
from panshuffle.exact.real import HALF, real
from panshuffle.exact.views import binomial, pan_sum
from panshuffle.exact.views.binomial import pair_curve

WHY = (
    "Changing one element moves one bin up and another down; as for Q_ZSUM the joint view is worth one shift of "
    "Bin(lam, 1/2) in each of the two bins, at every t, and the other bins are independent of the change."
)


def view(k: int, lam: int, pool: bool = False, direction: str | None = None) -> View:
    """The joint view of the two bins, or of one."""
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one stream.")
    if pool:
        curve = binomial.shift_curve(lam, HALF, direction)
        scope = ALL_NEIGHBOURS if direction is None else THIS_PAIR
        return View(curve, scope, WHY, pan_sum.paper_bound(real(lam)))
    return View(
        pair_curve(lam, HALF),
        ALL_NEIGHBOURS,
        WHY,
        exponential_bound("pan-histogram", real(lam) / 20, factor=2, eps_factor=2),
    )
