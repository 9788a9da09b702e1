"""Two pools of randomized bits at one background: delta in balls.

U and V are a pool's laws where the changed user holds 1 and 0; U/V never decreases, so for each x in the first pool the
best y of the second are those from some t(x) on, and t(x) never increases.  Masses that are not known well enough count
between nothing and all of what they are; so does a cell of which it is not decided whether it belongs to the event.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from flint import arb, arb_poly, ctx

from exact.numbers.real import Real

KNOWN_BITS = 16
"""A mass that is known to fewer bits tells nothing about the ratio."""


class CoinPool(NamedTuple):
    """U and V where they are known well, their sums from each place on, and a bound on what U has elsewhere."""

    upper: list[arb]
    lower: list[arb]
    above: list[arb]
    below: list[arb]
    outside: arb


@lru_cache(maxsize=64)
def coin_pool(users: int, ones: int, p: Real, precision: int) -> CoinPool:
    """The pool of so many users, of whom `ones` without the changed one hold 1."""
    with ctx.workprec(precision):
        low, high = p.ball(precision), (1 - p).ball(precision)
        law = arb_poly(masses(ones, 1 - p, precision)) * arb_poly(masses(users - 1 - ones, p, precision))
        upper, lower = (list((law * arb_poly(user)).coeffs()) for user in ([low, high], [high, low]))
        known = [i for i, pair in enumerate(zip(upper, lower, strict=True)) if all(map(is_known, pair))]
        first, last = (known[0], known[-1] + 1) if known else (0, 0)
        outside = sum((mass.abs_upper() for mass in upper[:first] + upper[last:]), arb(0)).upper()
        upper, lower = upper[first:last], lower[first:last]
        return CoinPool(upper, lower, sums_from(upper), sums_from(lower), outside)


def masses(coins: int, p: Real, precision: int) -> list[arb]:
    """The masses of Bin(coins, p), 0 < p < 1."""
    found, odds = [(1 - p).ball(precision) ** coins], (p / (1 - p)).ball(precision)
    for x in range(coins):
        found.append(found[-1] * odds * (coins - x) / (x + 1))
    return found


def is_known(mass: arb) -> bool:
    """Whether a mass is known to some bits."""
    return mass.rel_accuracy_bits() >= KNOWN_BITS and mass > 0


def sums_from(values: list[arb]) -> list[arb]:
    """The sums of the values from each place on, and 0."""
    sums = [arb(0)]
    for value in reversed(values):
        sums.append(sums[-1] + value)
    return sums[::-1]


def two_pools_delta(one: CoinPool, two: CoinPool, factor: arb) -> arb:
    """The sum of (U1(x) U2(y) - E V1(x) V2(y))_+ over all x and y, at the working precision."""
    total = arb(0).union(one.outside + two.outside)
    start = len(two.upper)
    for up, down in zip(one.upper, one.lower, strict=True):
        while start and up * two.upper[start - 1] > factor * down * two.lower[start - 1]:
            start -= 1
        total += up * two.above[start] - factor * down * two.below[start]
        for y in range(start - 1, -1, -1):
            gain = up * two.upper[y] - factor * down * two.lower[y]
            if gain <= 0:
                break
            total += arb(0).union(gain.nonnegative_part())
    return total
