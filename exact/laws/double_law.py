"""Laws on the integers in double precision, with a proved bound on what rounding can do, and tails of sums of two.

A mass is the central one, from a ball, times ratios: each step costs at most 5 roundings of relative size u = 2^-53.
All terms are positive, so a sum of s of them, in any order, costs at most s more.  What lies outside of the window has
probability at most 2 e^-240 (Bernstein's inequality); so have, with room, the masses that underflow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np
import numpy.typing as npt
from flint import arb
from panshuffle.exact.errors import Undecided
from panshuffle.exact.laws.noise import binomial_mass_ball
from panshuffle.exact.numbers.real import Real

UNIT = 2.0**-53
DROPPED = 5e-101
ACCURATE = 70
SMALL, LARGEST_KEPT = 2_000, 1_000_000
"""Coins up to which thousands of windows are remembered, and up to which a few are: 170 kilobytes each."""
LEAST_NORMAL = 1e-290
"""Above this a product has its full relative accuracy."""

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DoubleLaw:
    """Masses at first, first + 1, ..., each within a relative `error`; at most `outside` lies elsewhere."""

    first: int
    masses: Doubles
    error: float
    outside: float = DROPPED


def binomial_window(n: int, p: Real) -> DoubleLaw:
    """Bin(n, p) around its mean, remembered where it is not huge.

    >>> from panshuffle.exact.numbers.real import HALF
    >>> binomial_window(2, HALF).masses.tolist()
    [0.25, 0.5, 0.25]
    """
    return small_window(n, p) if n <= SMALL else window(n, p) if n <= LARGEST_KEPT else new_window(n, p)


def new_window(n: int, p: Real) -> DoubleLaw:
    """The same, computed.  *Raises* `Undecided` where its central mass is not known well enough."""
    if n == 0 or p.fraction in (0, 1):
        return DoubleLaw(n if p.fraction == 1 else 0, np.ones(1), 0.0)
    chance, odds_ball = floats_of(p)
    centre, variance = min(int(chance * (n + 1)), n), n * chance * (1 - chance)
    ball = binomial_mass_ball(n, p, centre, 128)
    if min(ball.rel_accuracy_bits(), odds_ball.rel_accuracy_bits()) < ACCURATE:
        raise Undecided(f"the masses of Bin({n}, p) are not known to double precision")
    reach = 202 + isqrt(480 * (int(variance * 1.000001) + 2))
    ups = np.arange(centre, min(n, centre + reach), dtype=np.float64)
    downs = np.arange(centre, max(0, centre - reach), -1, dtype=np.float64)
    odds, start = float(odds_ball.mid()), np.array([float(ball.mid())])
    above = np.cumprod(np.concatenate([start, odds * (n - ups) / (ups + 1)]))
    below = np.cumprod(np.concatenate([start, downs / (odds * (n - downs + 1))]))
    masses = np.concatenate([below[:0:-1], above])
    whole = len(masses) == n + 1 and masses.min() > LEAST_NORMAL
    return DoubleLaw(centre - len(downs), masses, (6 * len(masses) + 8) * UNIT, 0.0 if whole else DROPPED)


@lru_cache(maxsize=64)
def floats_of(p: Real) -> tuple[float, arb]:
    """p to about a double's precision, and its odds."""
    return float(p), (p / (1 - p)).accurate_ball(128)


small_window, window = lru_cache(maxsize=4096)(new_window), lru_cache(maxsize=128)(new_window)
"""The same, remembered."""


def outside_bounds(left: DoubleLaw, right: DoubleLaw, most: int, least: int) -> tuple[float, float]:
    """Bounds of P[A + B <= most or A + B >= least], A and B independent with these masses.

    >>> from panshuffle.exact.numbers.real import HALF
    >>> low, high = outside_bounds(binomial_window(1, HALF), binomial_window(1, HALF), 0, 2)
    >>> low <= 1/2 <= high and high - low < 1e-13
    True
    """
    if len(left.masses) > len(right.masses):
        left, right = right, left
    size = len(right.masses)
    lower = np.concatenate([[0.0], np.cumsum(right.masses)])
    upper = np.concatenate([np.cumsum(right.masses[::-1])[::-1], [0.0]])
    a = np.arange(left.first, left.first + len(left.masses))
    below = lower[np.clip(most - a - right.first + 1, 0, size)]
    above = upper[np.clip(least - a - right.first, 0, size)]
    total = float(np.dot(left.masses, below + above))
    error = left.error + right.error + (size + len(a) + 8) * UNIT
    error *= 1 + 1e-6
    outside = left.outside + right.outside
    return max(0.0, total * (1 - error) - outside), min(1.0, total * (1 + error) + outside)
