"""The shuffle histogram on P^zsum."""

from __future__ import annotations

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, View
from panshuffle.exact.real import Real
from panshuffle.exact.views import binary_sum
from panshuffle.exact.views.binomial import pair_curve

WHY = (
    "Changing one user's element moves the number of ones of one pool up and of another down by one; the pools "
    "are independent, and the shift of a pool is the same pair of laws whatever the other users hold."
)


def view(k: int, users: int, p: Real, pool: bool = False, direction: str | None = None) -> View:
    """The view of the two pools that a changed user touches, or of one."""
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one dataset.")
    if pool:
        return binary_sum.view(users, p, direction)
    return View(pair_curve(users, p), ALL_NEIGHBOURS, WHY)
