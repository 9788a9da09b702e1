"""P_UT after domain compression: P_UT on k_hat groups."""

from __future__ import annotations

from dataclasses import replace

from panshuffle.exact.curves.curve import View
from panshuffle.exact.real import Real
from panshuffle.exact.views import uniformity


def view(lam: Real, gamma: Real, k: int, k_hat: int, pool: bool = False) -> View:
    """The view of P_UT on the groups: for each partition, neighbours hold one group or another.

    Where k_hat does not divide k, a sample is replaced by padding with a probability that does not depend on it,
    which mixes both laws with a common one; then the curve is an upper bound.
    """
    groups = uniformity.view(lam, gamma, k_hat, pool)
    return replace(groups, upper_bound=bool(k % k_hat))
