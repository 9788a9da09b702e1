"""P^zsum: the sum of N = gamma*n bits plus Bin(N, p)."""

from __future__ import annotations

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, THIS_PAIR, View, exponential_bound
from panshuffle.exact.real import HALF, Real
from panshuffle.exact.views import binomial

WHY = (
    "The shuffled messages are 2N bits, so they are determined by their number of ones up to their uniform order;"
    " changing one bit shifts it by one, whatever the other bits are."
)


def view(users: int, p: Real, direction: str | None = None) -> View:
    """The view of N honest users."""
    curve = binomial.shift_curve(users, p, direction)
    paper = exponential_bound("robust-binary-sum", users * (1 - p) / 10) if p >= HALF else None
    return View(curve, ALL_NEIGHBOURS if direction is None else THIS_PAIR, WHY, paper)
