"""The privacy of P_DE where a pool has more bits than are enumerated: laws without their far ends, and the ideal sum.

The letters are those of `exact.pairs.parity_pair`.
"""

from __future__ import annotations

from functools import cached_property
from math import isqrt

from flint import arb, ctx, fmpz_poly
from panshuffle.exact.laws.integer_law import IntegerLaw, binomial_floor, point
from panshuffle.exact.numbers.certified import ball_bounds
from panshuffle.exact.numbers.real import HALF, Real
from panshuffle.exact.pairs.parity_background import worst_pool
from panshuffle.exact.pairs.parity_ideal import bounded_delta, bounded_pool_delta
from panshuffle.exact.pairs.parity_pair import (
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
from panshuffle.exact.parameters import check_parity_curve

CROPPED_PRECISION = 256
"""Bits of a cropped law: masses down to about 2^-180 keep `KEPT_BITS` correct bits, so that little is left out."""
LAW_BITS = CROPPED_PRECISION + 32
"""Rounding some ten thousand masses down in every product leaves so many of them."""
KEPT_BITS = 48
"""Correct bits of a mass that is kept: far more than the bounds that are built of it need."""
CROPPED_BITS = 2_000_000
"""Bits of a pool up to which its law is computed without its far ends: some ten thousand masses, ten seconds."""
LEAST_TRIES, MORE_TRIES = 24, 8000
"""Pairs of cropped pools that are computed before a bound is taken as it is: so many, and more where they are small."""


Enclosed = tuple[int, list[arb]]
"""The first outcome of a law, and enclosures of the masses from there on."""


class CroppedLaws:
    """law_C of any number of users, without the far ends, whose cost grows as the root of the number of bits.

    The law of every number of users is computed once, from that of half as many: close numbers share all but the last.
    """

    def __init__(self, m: int, q: Real) -> None:
        with ctx.workprec(LAW_BITS + 16):
            masses = [ball_bounds(mass, LAW_BITS)[0] for mass in one_user(m, q, LAW_BITS)]
        self.m, self.one, self.powers = m, IntegerLaw(fmpz_poly(masses), 0, LAW_BITS), {0: point(0, LAW_BITS)}

    def power(self, users: int) -> IntegerLaw:
        """The law of so many users who hold something else."""
        if users not in self.powers:
            half = self.power(users // 2)
            square = half.plus(half).cut(CROPPED_PRECISION)
            self.powers[users] = square.plus(self.one).cut(CROPPED_PRECISION) if users % 2 else square
        return self.powers[users]

    def laws(self, users: int, holders: int) -> tuple[Enclosed, Enclosed]:
        """law_(C+1) and law_C, C = holders < users, from their common factor A^C (A+qB)^(N-C-1)."""
        held = binomial_floor(self.m * holders, HALF, LAW_BITS)
        others = held.plus(self.power(users - holders - 1)).cut(CROPPED_PRECISION)
        return enclosed(others.plus(binomial_floor(self.m, HALF, LAW_BITS))), enclosed(others.plus(self.one))


def enclosed(law: IntegerLaw) -> Enclosed:
    """The first outcome, and enclosures of the masses from there on: what is missing may be anywhere."""
    with ctx.workprec(LAW_BITS):
        missing, unit = law.missing, arb(2) ** -law.bits
        return law.first, [(mass + missing) * unit for mass in law.masses.coeffs()]


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
