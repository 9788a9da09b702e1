"""The privacy of P_DE where a pool has more bits than are enumerated: laws without their far ends, and the ideal sum.

The letters are those of `exact.pairs.parity_pair`.
"""

from __future__ import annotations

from functools import cached_property
from math import isqrt

from flint import arb, arb_poly, ctx

from exact.numbers.real import Real
from exact.pairs.cropped import CROPPED_PRECISION, Cropped, Enclosed, Powers, crop
from exact.pairs.parity_background import worst_pool
from exact.pairs.parity_ideal import bounded_delta, bounded_pool_delta
from exact.pairs.parity_pair import (
    CLOSE_BITS,
    NEGLIGIBLE_BITS,
    Background,
    ParityPools,
    Pool,
    Worst,
    ideal_background,
    is_pure,
    one_user,
    worst_pair,
)
from exact.parameters import check_parity_curve

KEPT_BITS = 48
"""Correct bits of a mass that is kept: far more than the bounds that are built of it need."""
CROPPED_BITS = 2_000_000
"""Bits of a pool up to which its law is computed without its far ends: some ten thousand masses, ten seconds."""
LEAST_TRIES, MORE_TRIES = 24, 8000
"""Pairs of cropped pools that are computed before a bound is taken as it is: so many, and more where they are small."""


class CroppedLaws(Powers):
    """law_C of any number of users, without the far ends, whose cost grows as the root of the number of bits."""

    def __init__(self, m: int, q: Real) -> None:
        self.m = m
        with ctx.workprec(CROPPED_PRECISION):
            super().__init__(crop(0, one_user(m, q, CROPPED_PRECISION), arb(0)))

    def laws(self, users: int, holders: int) -> tuple[Enclosed, Enclosed]:
        """law_(C+1) and law_C, C = holders < users, from their common factor A^C (A+qB)^(N-C-1)."""
        with ctx.workprec(CROPPED_PRECISION):
            others = cropped_coins(self.m * holders).times(self.power(users - holders - 1))
            return others.times(cropped_coins(self.m)).enclosed(), others.times(self.one).enclosed()


def cropped_coins(coins: int) -> Cropped:
    """Bin(coins, 1/2) at the working precision, from its middle to where the masses are as small as `crop` leaves out.

    >>> [float(mass) for mass in cropped_coins(3).masses.coeffs()]
    [0.125, 0.375, 0.375, 0.125]
    """
    middle, least = coins // 2, arb(2) ** -ctx.prec
    masses = [arb.bin_uiui(coins, middle) / arb(2) ** coins]
    while len(masses) <= middle and not masses[-1] < least:
        x = middle + 1 - len(masses)
        masses.append(masses[-1] * x / (coins + 1 - x))
    start = middle + 1 - len(masses)
    both_sides = [*reversed(masses), *masses[1 - coins % 2 :]]
    return Cropped(start, arb_poly(both_sides), (2 * start * masses[-1]).upper())


class CroppedPools(ParityPools):
    """The same of cropped laws."""

    def __init__(self, users: int, m: int, q: Real) -> None:
        super().__init__(users, m, q, CROPPED_PRECISION)
        self.cropped = CroppedLaws(m, q)

    def between(self, users: int, holders: int) -> Pool:
        """law_(C+1) and law_C of so many users, where both are known."""
        return kept(*self.cropped.laws(users, holders))


def kept(more: Enclosed, fewer: Enclosed) -> Pool:
    """The outcomes whose masses are accurate in both laws; laws have the mass 1, so the rest is known."""
    accurate = [
        {start + x: mass for x, mass in enumerate(masses) if mass.rel_accuracy_bits() >= KEPT_BITS}
        for start, masses in (more, fewer)
    ]
    common = sorted(accurate[0].keys() & accurate[1].keys())
    masses = [[law[x] for x in common] for law in accurate]
    rests = [(1 - sum(law, arb(0))).upper().max(arb(0)) for law in masses]
    return Pool(masses[0], masses[1], *rests)


class LargePools:
    """Pools of more bits than are enumerated: their cropped laws, and the search at each e^eps, once each."""

    def __init__(self, users: int, m: int, q: Real, dummies: int = 0) -> None:
        self.users, self.m, self.q, self.dummies = users, m, q, dummies
        self.found: dict[tuple[object, Real], Worst] = {}

    @cached_property
    def pools(self) -> CroppedPools:
        """The cropped laws."""
        return CroppedPools(self.users, self.m, self.q)

    @property
    def tries(self) -> int:
        """How long a search may be; the outcomes of a pool grow as the root of its bits."""
        return LEAST_TRIES + MORE_TRIES // isqrt(self.users * self.m)

    def pair(self, k: int, exp_eps: Real, precision: int) -> tuple[arb, Background | None]:
        """delta of a pair over every background, and the worst background that was looked at (None for k = 1)."""
        if k == 1:
            return arb(0), None
        if is_pure(self.q, exp_eps, True, precision):
            return arb(0), ideal_background(self.users, k)
        ideal = bounded_delta(self.users, k, self.m, self.q, exp_eps, precision)
        if self.is_enough(ideal):
            return ideal, ideal_background(self.users, k)
        if (k, exp_eps) not in self.found:
            self.found[k, exp_eps] = worst_pair(self.pools, k, exp_eps, self.tries, self.dummies)
        found = self.found[k, exp_eps]
        return common(found, ideal, precision), (found.where[0].first, found.where[1].first)

    def pool(self, ways: tuple[bool, ...], exp_eps: Real, precision: int) -> tuple[arb, int]:
        """The same for one pool that gains (True) or loses (False) a holder."""
        check_parity_curve(self.users, 0, self.m, self.q, exp_eps)
        if is_pure(self.q, exp_eps, False, precision):
            return arb(0), 0
        ideal = bounded_pool_delta(self.users, self.m, self.q, exp_eps, ways, precision)
        if self.is_enough(ideal):
            return ideal, 0
        if (ways, exp_eps) not in self.found:
            self.found[ways, exp_eps] = worst_pool(self.pools, ways, exp_eps, self.tries)
        found = self.found[ways, exp_eps]
        return common(found, ideal, precision), found.where[0].first

    def is_enough(self, ideal: arb) -> bool:
        """Whether the enclosure by the ideal sum is close, or all that there is."""
        tiny = arb(2) ** -NEGLIGIBLE_BITS
        return bool(ideal.rel_accuracy_bits() >= CLOSE_BITS or ideal <= tiny or self.users * self.m > CROPPED_BITS)


def common(found: Worst, ideal: arb, precision: int) -> arb:
    """A ball around what a search and the ideal sum leave of a number, which both enclose."""
    with ctx.workprec(precision):
        upper = found.upper.max(arb(2) ** -NEGLIGIBLE_BITS).min(ideal.upper())
        return found.best.lower().max(ideal.lower()).union(upper)
