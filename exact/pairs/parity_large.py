"""How far the pools of P_DE are from an ideal modular sum: norms, the ideal divergences, and what they bound.

Legend: as in `pairs.parity_pair`; M = N*m are the bits of a pool, and kappa_j = ||A^(N-j) B^j||_1 (the sum of the
absolute values of the coefficients; docs/shares.md).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import isqrt

from flint import arb, ctx, fmpz_poly
from panshuffle.exact.laws.integer_law import IntegerLaw, binomial_floor, point
from panshuffle.exact.laws.pool_law import Shares
from panshuffle.exact.pairs.parity_pair import (
    CLOSE_BITS,
    NEGLIGIBLE_BITS,
    Background,
    ParityPools,
    Pool,
    Worst,
    ideal_background,
    is_pure,
    worst_pair,
    worst_pool,
)
from panshuffle.exact.parameters import check_count, check_parity_curve
from panshuffle.exact.real import HALF, Real, ball_bounds

EXPLICIT_TERMS = 8
MOST_TERMS = 200
"""For m = 1 this many terms are summed: for more the sum is beyond every use."""


def kappa_upper(users: int, m: int, j: int) -> arb:
    """An upper bound of kappa_j = ||A^(N-j) B^j||_1 at the working precision: C(M, mj)^(-1/2).

    *Proof*: the coefficient of z^x is w_x K(x)/C(M, mj), w_x = C(M, x)/2^M, K the Krawtchouk polynomial of
    degree mj, because C(M, mj) [z^x](1+z)^(M-mj)(1-z)^mj = C(M, x) K(x).  Orthogonality gives
    sum_x w_x K(x)^2 = C(M, mj), and Cauchy-Schwarz with sum_x w_x = 1 gives
    kappa_j <= (sum_x w_x K(x)^2)^(1/2) / C(M, mj) = C(M, mj)^(-1/2).
    """
    return arb.bin_uiui(users * m, m * min(j, users - j)).rsqrt()


def middle_norm_upper(users: int, m: int, q: Real, precision: int, first: int = 1) -> arb:
    """An upper bound of sum_{j=first}^{N-first} C(N, j) q^j kappa_j, rounded up.

    Terms j and N-j are added together (one term if they are the same).  Those far from both ends are bounded
    together: C(M, mj) >= C(N, j)^m, hence, for m >= 2, each is at most C(N, j)^(1-m/2) <=
    C(N, J)^(1-m/2) where J is the first of them.  For m = 1 and many users the terms are C(N, j)^(1/2) q^j at most, and
    are bounded by N 2^(N/2), which tells nothing.  *Exactness*: sound upper.
    """
    if m == 1 and users > MOST_TERMS:
        return users * arb(2) ** (arb(users) / 2)
    with ctx.workprec(precision):
        share, total = q.ball_here(), arb(0)
        last = users - first if m == 1 else min(users - first, first + EXPLICIT_TERMS - 1)
        for j in range(first, last + 1):
            if 2 * j <= users:
                powers = share**j if 2 * j == users else share**j + share ** (users - j)
                total += arb.bin_uiui(users, j) * powers * kappa_upper(users, m, j)
        beyond = users - 2 * last - 1
        if beyond > 0 and last >= first:
            total += beyond * arb.bin_uiui(users, last + 1) ** ((2 - arb(m)) / 2)
        return total.upper()


def ideal_pair_delta(share: arb, bound: arb) -> arb:
    """The divergence with an ideal modular sum and no other holder: Ber(1/2) x Ber((1-Q)/2) against the swap.

    *Formula*: max(0, (1+Q) - E(1-Q))/4, Q = q^N = `share`, E = `bound` >= 1 (caller); zero from
    E = (1+Q)/(1-Q) = 2e^eps' - 1 on.  *Exactness*: enclosure at the working precision.
    """
    return ((1 + share) - bound * (1 - share)).nonnegative_part() / 4


def ideal_pool_delta(share: arb, bound: arb) -> arb:
    """The same for one pool: max(0, 1 - E(1-Q))/2 for a gained holder; a lost one, max(0, 1+Q-E)/2, is no worse."""
    return (1 - bound * (1 - share)).nonnegative_part() / 2


def ideal_loss_delta(share: arb, bound: arb) -> arb:
    """The same for one pool that loses a holder: max(0, 1+Q-E)/2."""
    return (1 + share - bound).nonnegative_part() / 2


def bounded_delta(users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int) -> arb:
    """The largest divergence over every background and neighbour, from the ideal sum: [ideal, ideal + err].

    *Formula*: the parity of a pool is exactly that of the ideal sum, and a function of the view, so that delta is at
    least the ideal value.  Each law is within r = sum_{j=1}^{N-1} C(N, j) q^j kappa_j, in norm, of A^N (a holder) or of
    A^N + q^N B^N (none), whose pairs are those of the ideal sum; half of it for each of two pools on both sides
    gives err = (1+E) r.  The worst ideal background is (0, 0), or (0, N-1) for k = 2.  *Exactness*: enclosure.
    """
    check_parity_curve(users, 0, m, q, exp_eps)
    check_count("k", k)
    if k == 1:
        return arb(0)
    return near_ideal(users, m, q, exp_eps, precision, ideal_pair_delta if k > 2 or users == 1 else ideal_pool_delta)


def bounded_pool_delta(users: int, m: int, q: Real, exp_eps: Real, ways: tuple[bool, ...], precision: int) -> arb:
    """The same for one pool that gains (True) or loses (False) a holder; half of the error would do."""
    check_parity_curve(users, 0, m, q, exp_eps)
    return near_ideal(users, m, q, exp_eps, precision, ideal_pool_delta if True in ways else ideal_loss_delta)


def near_ideal(users: int, m: int, q: Real, exp_eps: Real, precision: int, ideal: Callable[[arb, arb], arb]) -> arb:
    """[ideal, ideal + err], err = (1+E) r.

    delta does not increase in E, so ideal + err at any point from 1 to E is an upper bound at E.  It is convex and has
    its corner where the ideal value becomes 0, at (1+Q)/(1-Q) for a pair and at 1/(1-Q) or 1+Q for a pool: the least is
    at one of these, at 1 or at E.
    """
    radius, bound = middle_norm_upper(users, m, q, precision), exp_eps.ball(precision)
    with ctx.workprec(precision + users.bit_length()):
        share = q.ball_here() ** users
        ends = ((1 + share) / (1 - share), 1 / (1 - share), 1 + share)
        points = [arb(1), bound, *(end for end in ends if end <= bound)]
        upper = min((ideal(share, point) + (1 + point) * radius).upper() for point in points)
        return ideal(share, bound).lower().max(arb(0)).union(upper.min(arb(1)))


# The privacy of P_DE where a pool has more bits than are enumerated: laws without their far ends, and the ideal sum.
#
# The letters are those of `exact.pairs.parity_pair`.


CROPPED_PRECISION = 256
"""Bits of a cropped law: masses down to about 2^-180 keep `KEPT_BITS` correct bits, so that little is left out."""
LAW_BITS = CROPPED_PRECISION + 32
"""Rounding some ten thousand masses down in every product leaves this many of them."""
KEPT_BITS = 48
"""Correct bits of a mass that is kept: far more than the bounds that are built of it need."""
CROPPED_BITS = 2_000_000
"""Bits of a pool up to which its law is computed without its far ends: some ten thousand masses, ten seconds."""
LEAST_TRIES, MORE_TRIES = 24, 8000
"""Pairs of cropped pools that are computed before a bound is taken as it is: this many, more if they are small."""


Enclosed = tuple[int, list[arb]]
"""The first outcome of a law, and enclosures of the masses from there on."""


class CroppedLaws:
    """law_C of any number of users, without the far ends, whose cost grows as the root of the number of bits.

    The law of every number of users is computed once, from that of half as many: close numbers share all but the last.
    """

    def __init__(self, m: int, q: Real) -> None:
        with ctx.workprec(LAW_BITS + 16):
            masses = [ball_bounds(mass, LAW_BITS)[0] for mass in Shares(q, m).masses(1, LAW_BITS)]
        self.m, self.one, self.powers = m, IntegerLaw(fmpz_poly(masses), 0, LAW_BITS), {0: point(0, LAW_BITS)}

    def power(self, users: int) -> IntegerLaw:
        """The law of the given number of users who hold something else."""
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
        """law_(C+1) and law_C of the given number of users, where both are known."""
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
