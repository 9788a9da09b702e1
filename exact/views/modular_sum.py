"""P_MOD: not private on its own, since the parity of all bits is in the clear; its use is in the total variation."""

from __future__ import annotations

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, DISJOINT, View

WHY = "Changing one bit changes the parity of the number of ones, so the views have disjoint supports."


def view() -> View:
    """The view of the shuffled bits: delta = 1 at every eps."""
    return View(DISJOINT, ALL_NEIGHBOURS, WHY)
