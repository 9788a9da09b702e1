"""The sum over rows of two opposite shifts in double precision, with a proved bound on what rounding does.

u = 2^-53.  Masses are relative to those at a row y0 and at its threshold t0, from which they are carried by products of
ratios.  A ratio and its product cost at most 4 roundings, so for any two points b(x)/b(z) is known within 4 |x - z| u.
Tails G are sums of masses from beyond the last threshold down, each addition rounding what there is so far.  With H(t)
the sum of G(s) over s > t up to there, G(t+1)/b(t) is known within 5 u H(t)/b(t): 4 come from the masses, as the sum of
(x - t) b(x) over x > t is the sum of G(s) over s > t.  A row is b(y) G(t) - E b(y-1) G(t+1), which is
b(y) (b(t) + (1 - r) G(t+1)) with r = E b(y-1)/b(y), known within 5 u.  A sum of n rows costs at most n u.  All that is
first order in u; what is beyond is covered by `ROOM`.

Thresholds are rounded down from edges that are known within `NEAR`; nearer to a whole number, integers decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from flint import arb
from panshuffle.exact.laws.double_law import UNIT, Doubles
from panshuffle.exact.laws.noise import Noise, PoissonLaw, upper_tail

if TYPE_CHECKING:
    from panshuffle.exact.pairs.opposite_shifts import Boundary, Rows

LARGEST_POINT = 1 << 30
"""Up to here an edge, which is known within 16 u of itself, is known within `NEAR`."""
NEAR = 2.0**-18
MOST_POINTS = 1 << 20
ROOM = 1.01
ANCHOR_BITS = 64
ACCURATE = 56
REACH = 1e140
"""Relative masses within 1/REACH and REACH have products that neither overflow nor lose digits."""
LEAST = 1e-300
"""More than a tail of `MOST_POINTS` masses loses where they are too small for doubles: 2^20 times 2^-1074."""


def rises(law: Noise, x: Doubles) -> Doubles:
    """b(x+1)/b(x), within 3 u."""
    if isinstance(law, PoissonLaw):
        return float(law.mu.mid()) / (x + 1)
    return float((law.p / law.q).mid()) * (law.l - x) / (x + 1)


def falls(law: Noise, x: Doubles) -> Doubles:
    """b(x-1)/b(x), within 3 u."""
    if isinstance(law, PoissonLaw):
        return x / float(law.mu.mid())
    return float((law.q / law.p).mid()) * x / (law.l + 1 - x)


def edges(law: Noise, factor: float, y: Doubles) -> Doubles:
    """The thresholds before rounding, within 16 u."""
    if isinstance(law, PoissonLaw):
        return factor * y
    return factor * y * (law.l + 1) / (law.l + 1 - y + factor * y)


def relative_masses(law: Noise, first: int, last: int, anchor: int) -> Doubles:
    """b(x)/b(anchor) for x from first to last."""
    ups = np.arange(anchor, last, dtype=np.float64)
    downs = np.arange(anchor, first, -1, dtype=np.float64)
    return np.concatenate([np.cumprod(falls(law, downs))[::-1], [1.0], np.cumprod(rises(law, ups))])


def thresholds(boundary: Boundary, rows: Rows, factor: float) -> Doubles | None:
    """The threshold of every row, if E decides all of them and doubles hold them."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = edges(boundary.law, factor, np.arange(rows.first, rows.last + 1, dtype=np.float64))
    if not np.isfinite(found).all():
        return None
    least = np.floor(found)
    for i in np.flatnonzero(np.abs(found - np.rint(found)) < NEAR):
        low, high = boundary.thresholds(rows.first + int(i))
        if low != high:
            return None
        least[i] = low
    return least


def double_sum(boundary: Boundary, rows: Rows, factor: arb) -> arb | None:
    """The rows of the window, or None where doubles can't hold them or E leaves a threshold open."""
    law, e = boundary.law, float(factor.mid())
    if max(rows.last, rows.cap) > LARGEST_POINT or rows.last - rows.first > MOST_POINTS:
        return None
    t = thresholds(boundary, rows, e)
    if t is None or t[-1] > LARGEST_POINT or t[-1] - t[0] > MOST_POINTS:
        return None
    low, high, best = int(t[0]), int(t[-1]), min(max(rows.best, rows.first), rows.last)
    own = relative_masses(law, rows.first, rows.last, best)
    across = relative_masses(law, low, high, int(t[best - rows.first]))
    beyond = upper_tail(law, high + 1, ANCHOR_BITS) / law.mass(high)
    smallest, largest = min(own.min(), across.min()), max(own.max(), across.max())
    if (beyond.rel_accuracy_bits() < ACCURATE and not beyond.is_zero()) or not 1 / REACH < smallest <= largest < REACH:
        return None
    tails = np.cumsum(np.concatenate([[float(beyond.mid()) * across[-1]], across[:0:-1]]))
    y = np.arange(rows.first, rows.last + 1, dtype=np.float64)
    places = (t - low).astype(np.int64)
    ratio, mass = e * falls(law, y), across[places]
    tail, doubt = tails[::-1][places], np.cumsum(tails)[::-1][places]
    gains = own * (mass + (1 - ratio) * tail)
    steps = 4 * np.abs(y - best) + 4 * np.abs(t - t[best - rows.first]) + len(y)
    roundings = 5 * np.abs(1 - ratio) * doubt + 6 * ratio * tail + 8 * (mass + np.abs(1 - ratio) * tail)
    error = np.dot(np.abs(gains), steps) + np.dot(own, roundings)
    doubts = ROOM * UNIT * error + LEAST * np.dot(own, 1 + ratio)
    if not np.isfinite(doubts):
        return None
    middle = law.mass(best) * law.mass(int(t[best - rows.first]))
    return middle * arb(float(np.sum(gains)), float(doubts))
