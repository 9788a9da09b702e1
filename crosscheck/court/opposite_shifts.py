"""Two independent opposite shifts of one law, summed row by row: no boundary, no tail function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from flint import arb
from panshuffle.crosscheck.court.family import Bounds
from panshuffle.exact.real import largest


def pair_bounds(masses: Sequence[arb], first: int, factor: arb, threshold: Callable[[int], int], lost: arb) -> Bounds:
    """Bounds on the divergence of (X+1, Y) from (X, Y+1), X and Y with these masses at first, first + 1, ...

    In row y the event is x >= t, where t is the threshold or a neighbour, whichever gains most.  Rows and columns
    without a mass are left out of the lower end; `lost` bounds what they may add.
    *Holds when* the ratio rises in x, and the threshold is right to within 1 (caller).
    """
    above = list(accumulate(reversed(masses), initial=arb(0)))[::-1]  # above[i] = P[X >= first + i]

    def tail(x: int) -> arb:
        return above[min(max(x - first, 0), len(masses))]

    total = arb(0)
    for y in range(first, first + len(masses) + 1):
        here = masses[y - first] if y - first < len(masses) else arb(0)
        before = masses[y - first - 1] if y > first else arb(0)
        if y == first and first:
            continue
        t = threshold(y)
        total += largest([here * tail(c - 1) - factor * before * tail(c) for c in (t - 1, t, t + 1)]).nonnegative_part()
    return Bounds((total - factor * lost).lower(), (total + lost).upper())
