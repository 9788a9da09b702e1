"""The laws of the pools of P_DE, and a pool with as many other holders as a stretch of counts allows.

Legend: A = ((1+z)/2)^m, B = ((1-z)/2)^m, law_C = A^C (A + qB)^(N-C), the ones in a pool of N users with C holders.  A
changed user takes a pool from law_C (`fewer`) to law_(C+1) (`more`) or back.  rho_C = law_(C+1)/law_C.

**Fewer users are never more private.**  law_(C+1) and law_C have the common factor A^C (A+qB)^(N-C-1), the messages of
the other users.  Adding independent messages to an outcome is post-processing, so the divergences of every C from
`first` to `last` are at most those of the pool with the common factor A^first (A+qB)^(N-1-last), which has
N - (last - first) users, `first` of them other holders.  A user's messages to two pools are independent, so the same
holds for a pair of pools, each with a stretch of its own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property, reduce
from itertools import accumulate
from math import comb
from typing import NamedTuple

from flint import arb, arb_poly, ctx, fmpz_poly

from exact.numbers.real import Real
from exact.parameters import check_pool, check_share

CROPPED_PRECISION = 256
"""Bits of a cropped law: masses down to about 2^-180 keep `KEPT_BITS` correct bits, so that little is left out."""
KEPT_BITS = 48
"""Correct bits of a mass that is kept: far more than the bounds that are built of it need."""


class Stretch(NamedTuple):
    """So many other holders: from `first` to `last`."""

    first: int
    last: int

    @property
    def single(self) -> bool:
        """Whether it is one count."""
        return self.first == self.last

    def halves(self) -> tuple[Stretch, Stretch]:
        """Two stretches, the first at most as long: divergences change most where there are few holders."""
        middle = min((self.first + self.last) // 2, 2 * self.first)
        return Stretch(self.first, middle), Stretch(middle + 1, self.last)


def parity_law_balls(users: int, holders: int, m: int, q: Real, precision: int) -> list[arb]:
    """Enclosures of the masses of `parity_law`, each with at least `precision` correct leading bits.

    *Formula*: A + qB = (1-p')(A+B) + p'(A-B), whose coefficients are positive: no product cancels.
    *Holds when*: 0 <= q < 1 (checked), so that no mass is zero.  *Exactness*: enclosure.
    """
    check_pool(users, holders, m)
    check_share(q)
    inner = precision + 16 + 2 * (users * m).bit_length()
    while True:
        law = positive_law(users, holders, m, q, inner)
        if all(mass.rel_accuracy_bits() >= precision for mass in law):
            return law
        inner *= 2


def positive_law(users: int, holders: int, m: int, q: Real, precision: int) -> list[arb]:
    """The masses as balls, from products of polynomials without a negative coefficient."""
    with ctx.workprec(precision):
        uniform = fmpz_poly([1, 1]) ** (m * holders)
        held = arb_poly([arb(c) for c in uniform.coeffs()]) * (1 / arb(2) ** (m * holders))
        return list((held * arb_poly(one_user(m, q, precision)) ** (users - holders)).coeffs())


def one_user(m: int, q: Real, precision: int) -> list[arb]:
    """The coefficients of A + qB: positive, and at the working precision."""
    odd = ((1 - q) / 2).accurate_ball(precision)
    scale = arb(2) ** (m - 1)
    return [comb(m, i) * (odd if i % 2 else 1 - odd) / scale for i in range(m + 1)]


Enclosed = tuple[int, list[arb]]
"""The first outcome of a law, and enclosures of the masses from there on."""


class Cropped(NamedTuple):
    """A law without its ends: the masses from `start` on are at most the true ones, and miss `lost` in all at most.

    Where two laws are convolved, what is lost of either reaches the product with no more than its mass.
    """

    start: int
    masses: arb_poly
    lost: arb

    def times(self, other: Cropped) -> Cropped:
        """The convolution, at the working precision."""
        return crop(self.start + other.start, list((self.masses * other.masses).coeffs()), self.lost + other.lost)

    def enclosed(self) -> Enclosed:
        """The first outcome, and enclosures of the masses from there on: what is lost may be anywhere."""
        missing = arb(0).union(self.lost)
        return self.start, [mass + missing for mass in self.masses.coeffs()]


def crop(start: int, masses: list[arb], lost: arb) -> Cropped:
    """The law without the masses at its ends that are no larger than the working precision can tell from 0."""
    least = arb(2) ** -ctx.prec
    kept = [x for x, mass in enumerate(masses) if mass.abs_upper() > least]
    first, end = kept[0], kept[-1] + 1
    ends = sum((mass.abs_upper() for mass in masses[:first] + masses[end:]), arb(0))
    return Cropped(start + first, arb_poly(masses[first:end]), (lost + ends).upper())


class CroppedLaws:
    """law_C of any number of users, without the far ends, whose cost grows as the root of the number of bits.

    The powers of two of A and of A + qB are computed once.
    """

    def __init__(self, m: int, q: Real) -> None:
        with ctx.workprec(CROPPED_PRECISION):
            users = (one_user(m, q, CROPPED_PRECISION), [arb(comb(m, i)) / arb(2) ** m for i in range(m + 1)])
            self.squares = [[crop(0, masses, arb(0))] for masses in users]
        self.powers: dict[tuple[int, int], Cropped] = {}

    def power(self, kind: int, exponent: int) -> Cropped:
        """(A + qB)^exponent for kind 0 and A^exponent for kind 1, at the working precision."""
        if (kind, exponent) not in self.powers:
            squares, factors = self.squares[kind], [Cropped(0, arb_poly([1]), arb(0))]
            for i in range(exponent.bit_length()):
                if len(squares) == i:
                    squares.append(squares[-1].times(squares[-1]))
                if exponent >> i & 1:
                    factors.append(squares[i])
            self.powers[kind, exponent] = reduce(Cropped.times, factors)
        return self.powers[kind, exponent]

    def laws(self, users: int, holders: int) -> tuple[Enclosed, Enclosed]:
        """law_(C+1) and law_C, C = holders < users, from their common factor A^C (A+qB)^(N-C-1)."""
        with ctx.workprec(CROPPED_PRECISION):
            others = self.power(1, holders).times(self.power(0, users - holders - 1))
            return others.times(self.squares[1][0]).enclosed(), others.times(self.squares[0][0]).enclosed()


class GainCurve:
    """t -> sum_x max(upper(x) - t*lower(x), 0), by sorted ratios and suffix sums.

    Every x is certainly below t (it adds nothing), certainly above (it is in a suffix sum), or undecided (its
    max(., 0) is enclosed on its own), so the value is enclosed whatever the order of overlapping balls is.
    *Holds when* no mass of `lower` is zero (caller; so it is because q < 1).
    """

    def __init__(self, upper: list[arb], lower: list[arb]) -> None:
        self.ratios = ratio = [above / below for above, below in zip(upper, lower, strict=True)]
        order = sorted(range(len(ratio)), key=lambda x: ratio[x].mid())
        self.upper, self.lower = [upper[x] for x in order], [lower[x] for x in order]
        self.most = list(accumulate((ratio[x].upper() for x in order), max))
        self.least = list(accumulate((ratio[x].lower() for x in reversed(order)), min))[::-1]
        self.upper_sums = list(accumulate(reversed(self.upper), initial=arb(0)))[::-1]
        self.lower_sums = list(accumulate(reversed(self.lower), initial=arb(0)))[::-1]

    def at(self, t: arb) -> arb:
        """An enclosure of the value at t, at the working precision."""
        first, above = bisect_right(self.most, t.lower()), bisect_left(self.least, t.upper())
        total = (self.upper_sums[above] - t * self.lower_sums[above]).nonnegative_part()
        for x in range(first, above):
            total += (self.upper[x] - t * self.lower[x]).nonnegative_part()
        return total


class Pool:
    """law_(C+1) and law_C on common outcomes, with no more than `rest_more` and `rest_fewer` outside of them.

    A divergence is at least its sum over these outcomes, and at most that and what the upper law has outside.
    """

    def __init__(self, more: list[arb], fewer: list[arb], rest_more: arb, rest_fewer: arb) -> None:
        self.more, self.fewer, self.rest_more, self.rest_fewer = more, fewer, rest_more, rest_fewer

    @cached_property
    def curve(self) -> GainCurve:
        """The whole curve t -> sum max(law_(C+1) - t*law_C, 0), with its ratios rho_C, at the working precision."""
        return GainCurve(self.more, self.fewer)

    @cached_property
    def loss_curve(self) -> GainCurve:
        """The same of law_C against law_(C+1)."""
        return GainCurve(self.fewer, self.more)

    def gain(self, bound: arb) -> arb:
        """The divergence of law_(C+1) from law_C at the working precision.  *Exactness*: enclosure."""
        return with_rest(self.curve.at(bound), self.rest_more)

    def lose(self, bound: arb) -> arb:
        """The same of law_C from law_(C+1)."""
        return with_rest(self.loss_curve.at(bound), self.rest_fewer)


def with_rest(value: arb, rest: arb) -> arb:
    """value and up to `rest` more."""
    return value if rest.is_zero() else value + arb(0).union(rest)


def pair_divergence(a: Pool, b: Pool, bound: arb) -> arb:
    """sum_y law_CB(y) * g(E * rho_CB(y)), g the curve of the pool of a, at the working precision."""
    curve = a.curve
    second = zip(b.fewer, b.curve.ratios, strict=True)
    total = sum((mass * curve.at(bound * ratio) for mass, ratio in second), arb(0))
    return with_rest(total, a.rest_more + b.rest_fewer)


class ParityPools:
    """The pools of N users at one precision, each computed once; cropped ones where the precision is None."""

    def __init__(self, users: int, m: int, q: Real, precision: int | None) -> None:
        self.users, self.m, self.q = users, m, q
        self.cropped = CroppedLaws(m, q) if precision is None else None
        self.precision = CROPPED_PRECISION if precision is None else precision
        self.pools: dict[Stretch, Pool] = {}

    def pool(self, stretch: Stretch) -> Pool:
        """The pool whose divergences are at least those of every count of the stretch, and equal those of one count."""
        if stretch not in self.pools:
            users = self.users - (stretch.last - stretch.first)
            with ctx.workprec(self.precision):
                self.pools[stretch] = self.between(users, stretch.first)
        return self.pools[stretch]

    def between(self, users: int, holders: int) -> Pool:
        """law_(C+1) and law_C of so many users."""
        if self.cropped is not None:
            return kept(*self.cropped.laws(users, holders))
        more, fewer = (parity_law_balls(users, c, self.m, self.q, self.precision) for c in (holders + 1, holders))
        return Pool(more, fewer, arb(0), arb(0))


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
