"""The privacy of P_DE with real messages: the laws of its pools, the pair that a changed user touches, its worst case.

Legend: A = ((1+z)/2)^m, B = ((1-z)/2)^m; a user whose bit is one with probability (1-s)/2 contributes the factor A + sB
to the generating function of the ones in a pool.  law_C = A^C (A + qB)^(N-C), the ones in a pool with C holders.
A user who changes from a to b, with CA other holders of a and CB other holders of b, gives
    upper = law_(CA+1) x law_CB,    lower = law_CA x law_(CB+1),
so the opposite change is the background (CB, CA).  rho_C = law_(C+1)/law_C.  E = e^eps >= 1, so that every
hockey-stick divergence is at most the total variation.

**Fewer users are never more private.**  law_(C+1) and law_C have the common factor A^C (A+qB)^(N-C-1), the messages of
the other users.  Adding independent messages to an outcome is post-processing, so the divergences of every C from
`first` to `last` are at most those of the pool with the common factor A^first (A+qB)^(N-1-last), which has
N - (last - first) users, `first` of them other holders.  A user's messages to two pools are independent, so the same
holds for a pair of pools, each with a stretch of its own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from heapq import heappop, heappush
from itertools import accumulate, pairwise, product
from math import isqrt
from typing import NamedTuple

from flint import arb, ctx, fmpz_poly
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.laws.integer_law import IntegerLaw, binomial_floor, point
from panshuffle.exact.laws.pool_law import Shares, shared_bits
from panshuffle.exact.pairs.divergence import check_exp_eps, pair_gain, pool_gain, turned
from panshuffle.exact.parameters import check_pool, check_share, refuse_if
from panshuffle.exact.real import HALF, Real, ball_bounds, largest, real

Background = tuple[int, ...]
"""How many other users hold each element whose pool is seen."""

ZERO = real(0)

GUARD = 64
ATTEMPTS = 4
ENUMERATED_BITS = 2000
"""Bits of a pool up to which every mass of its laws is computed, to any number of digits."""
ENUMERATED_USERS = 200
"""The same for users: where backgrounds are close to each other, the search may come to all N^2/2 of them."""
CLOSE_BITS = 40
"""Correct bits of a bound from both sides with which a search is content: more than the ten digits that are shown."""
NEGLIGIBLE_BITS = 176
"""An upper end below 2^-176 is not claimed of cropped laws: what is left out of them is not much smaller."""


class Stretch(NamedTuple):
    """Numbers of other holders: from `first` to `last`."""

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

    *Holds when*: 0 <= q < 1 (checked), so that no mass is zero.  *Exactness*: enclosure.
    """
    check_pool(users, holders, m)
    check_share(q)
    return shared_bits(m, q, ZERO).ones(users, holders).balls(precision)


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
    def turned(self) -> Pool:
        """The same with both laws exchanged."""
        return Pool(self.fewer, self.more, self.rest_fewer, self.rest_more)

    def gain(self, bound: arb) -> arb:
        """The divergence of law_(C+1) from law_C at the working precision.  *Exactness*: enclosure."""
        return with_rest(self.curve.at(bound), self.rest_more)

    def lose(self, bound: arb) -> arb:
        """The same of law_C from law_(C+1)."""
        return self.turned.gain(bound)


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
    """The pools of N users at one precision, each computed once."""

    def __init__(self, users: int, m: int, q: Real, precision: int) -> None:
        self.users, self.m, self.q, self.precision = users, m, q, precision
        self.pool = cache(self.new_pool)

    def new_pool(self, stretch: Stretch) -> Pool:
        """The pool whose divergences are at least those of every count of the stretch, and equal those of one count."""
        with ctx.workprec(self.precision):
            return self.between(self.users - (stretch.last - stretch.first), stretch.first)

    def between(self, users: int, holders: int) -> Pool:
        """law_(C+1) and law_C of the given number of users."""
        more, fewer = (parity_law_balls(users, c, self.m, self.q, self.precision) for c in (holders + 1, holders))
        return Pool(more, fewer, arb(0), arb(0))


def settled(search: Callable[[int], Worst], precision: int) -> Worst:
    """The first result whose value has `precision` correct leading bits, or the best one after a few attempts."""
    found = search(precision + GUARD)
    for attempt in range(1, ATTEMPTS):
        if found.best.rel_accuracy_bits() >= precision:
            return found
        found = search((precision + GUARD) << attempt)
    return found


Box = tuple[Stretch, ...]
"""Backgrounds that are bounded together: a stretch of other holders for each pool."""
Candidate = tuple[arb, Box, bool]
"""Minus an upper bound of a divergence, which comes first in a heap, its box, and whether the bound is its own."""


class Worst(NamedTuple):
    """The largest divergence is at least `best`, which is taken at `where`, and at most `upper`."""

    best: arb
    where: Box
    upper: arb


@dataclass(frozen=True)
class Change:
    """What a changed user of N does: to the pair of pools of both elements, or to one pool.

    `ways` has True for a pool that gains a holder and False for one that loses one; it is empty for the pair.
    The dummies are users who hold the element 1; P_DE itself has none.
    """

    users: int
    m: int
    q: Real
    k: int = 3
    dummies: int = 0
    ways: tuple[bool, ...] = ()

    def check(self, exp_eps: Real, background: Background | None = None) -> None:
        """*Raises* `ParameterError` for parameters that are not allowed."""
        check_pool(self.users, 0, self.m)
        check_share(self.q)
        check_exp_eps(exp_eps)
        refuse_if(self.k < 2, "k", self.k, "a whole number, at least 2")
        if background is not None and self.ways:
            allowed = f"a whole number from 0 to {self.users - 1}"
            refuse_if(not 0 <= background[0] < self.users, "holders", background[0], allowed)
        elif background is not None and (min(background) < 0 or sum(background) > self.users - 1):
            allowed = f"two counts, at least 0, with a sum of at most {self.users - 1}"
            raise ParameterError("holders", ",".join(map(str, background)), allowed)

    @property
    def is_enumerated(self) -> bool:
        """Whether a pool is so small that every background is covered by whole laws, to any number of digits."""
        return self.users <= ENUMERATED_USERS and self.users * self.m <= ENUMERATED_BITS

    @property
    def ideal_background(self) -> Background:
        """The worst one with an ideal modular sum, a good one to begin with: no other holder, as far as k allows."""
        return (0,) if self.ways else (0, 0 if self.k > 2 else self.users - 1)

    def backgrounds(self) -> Iterator[Background]:
        """Every one that other users can form."""
        return iter([(c,) for c in range(self.users)]) if self.ways else backgrounds(self.users, self.k, self.dummies)

    def exact(self, background: Background, exp_eps: Fraction) -> Fraction:
        """The divergence in a background for rational q and e^eps.  *Exactness*: exact."""
        self.check(Real(exp_eps), background)
        first, *other = (shared_bits(self.m, self.q, ZERO).change(self.users, holders) for holders in background)
        if other:
            return pair_gain(first, turned(other[0]), exp_eps)
        return max(pool_gain(first if gain else turned(first), exp_eps) for gain in self.ways)

    def measure(self, pools: ParityPools, box: Box, bound: arb) -> arb:
        """The divergence, which no background of the box exceeds."""
        first, *other = (pools.pool(stretch) for stretch in box)
        with ctx.workprec(pools.precision):
            if other:
                return pair_divergence(first, other[0], bound)
            return largest(first.gain(bound) if gain else first.lose(bound) for gain in self.ways)

    def at(self, background: Background, exp_eps: Real, precision: int) -> arb:
        """The divergence in a background.  *Exactness*: enclosure."""
        self.check(exp_eps, background)

        def search(inner: int) -> Worst:
            pools = ParityPools(self.users, self.m, self.q, inner)
            value = self.measure(pools, background_box(background), exp_eps.ball(inner))
            return Worst(value, background_box(background), value.upper())

        return settled(search, precision).best

    def search(self, pools: ParityPools, exp_eps: Real, tries: int | None = None) -> Worst:
        """The worst background, or as far as so many tries come."""
        bound, cuts = exp_eps.ball(pools.precision), stretches(self.users)
        boxes = product(cuts, repeat=1 if self.ways else 2)
        start = background_box(self.ideal_background)

        def allowed(box: Box) -> bool:
            return possible(box, self.users, self.k, self.dummies)

        return largest_in(pools, allowed, boxes, start, lambda box: self.measure(pools, box, bound), tries)

    def worst(self, exp_eps: Real, precision: int) -> tuple[arb, Background]:
        """The largest divergence over every background of small pools, and where it is taken.

        Backgrounds are left out only where an upper bound of their divergences is at most a value that was found.
        Where several values overlap, the background is one of them; where all are 0, the first.
        *Exactness*: enclosure.
        """
        self.check(exp_eps)
        if self.is_pure(exp_eps, precision):
            return arb(0), self.ideal_background
        found = settled(lambda inner: self.search(ParityPools(self.users, self.m, self.q, inner), exp_eps), precision)
        return found.best, tuple(stretch.first for stretch in found.where)

    def is_pure(self, exp_eps: Real, precision: int) -> bool:
        """Whether e^eps is certified to be so large that delta is 0 in every background.

        It is for (1+q)/(1-q), and 1/(1-q) for one pool.  *Proof*: the messages of one user have the generating function
        A as a holder and A + qB else, with coefficients in the ratio 1/(1+q) at even and 1/(1-q) at odd sums.  So
        law_(C+1)(x)/law_C(x), a quotient of two sums with the same positive weights, lies in [1/(1+q), 1/(1-q)]
        whatever m is, and 1+q <= 1/(1-q).
        """
        largest_ratio = (1 if self.ways else 1 + self.q) / (1 - self.q)
        return bool(exp_eps.ball(precision) >= largest_ratio.ball(precision))

    def ideal(self, share: arb, bound: arb) -> arb:
        """The divergence with an ideal modular sum in its worst background, Q = q^N = `share`, E = `bound` >= 1."""
        if not self.ways:
            return (ideal_pair_delta if self.k > 2 or self.users == 1 else ideal_pool_delta)(share, bound)
        return (ideal_pool_delta if True in self.ways else ideal_loss_delta)(share, bound)


def background_box(background: Sequence[int]) -> Box:
    """The box of one background."""
    return tuple(Stretch(count, count) for count in background)


def stretches(users: int) -> list[Stretch]:
    """0, ..., N-1 in a few stretches: 0 and 1, which are often the worst, and stretches that leave half of the users.

    >>> [tuple(stretch) for stretch in stretches(100)]
    [(0, 0), (1, 1), (2, 24), (25, 49), (50, 99)]
    """
    starts = sorted({0, 1, 2, users // 4, users // 2, users})
    return [Stretch(first, end - 1) for first, end in pairwise(start for start in starts if start <= users)]


def possible(box: Box, users: int, k: int, dummies: int = 0) -> bool:
    """Whether a box has a background that other users can form, of whom the dummies hold the element 1.

    The elements of the pair are others than 1, or one of them is 1.
    """
    if len(box) == 1 or (k > 2 and box[0].first + box[1].first <= users - 1 - dummies):
        return True
    return any(
        one.last >= dummies
        and max(one.first, dummies) + other.first <= users - 1
        and (k > 2 or one.last + other.last >= users - 1)
        for one, other in (box, box[::-1])
    )


def largest_in(
    pools: ParityPools,
    allowed: Callable[[Box], bool],
    boxes: Iterable[Box],
    start: Box,
    measure: Callable[[Box], arb],
    tries: int | None,
) -> Worst:
    """The largest divergence over all allowed backgrounds of the boxes, best first, from the value at `start`.

    A measure is the value where the box is one background, and bounds others, which are then cut in two; the bound of
    the whole holds for the parts.  With `tries`, the search ends after so many measures, or where little is left to
    gain, and `upper` is the largest bound that is left.
    """
    with ctx.workprec(pools.precision):
        best, where = measure(start), start
        heap: list[Candidate] = [(arb(-1), box, False) for box in boxes if box != start and allowed(box)]
        close, floor = 1 + arb(2) ** -CLOSE_BITS, arb(2) ** -NEGLIGIBLE_BITS
        while heap and tries != 0:
            enough = best.lower() if tries is None else floor.max(best.lower() * close)
            if -heap[0][0] <= enough:
                break
            bound, box, measured = heappop(heap)
            if measured:
                for part in parts(box):
                    if part != start and allowed(part):
                        heappush(heap, (bound, part, False))
                continue
            value, tries = measure(box), None if tries is None else tries - 1
            if all(stretch.single for stretch in box):
                best, where = best.max(value), box if value.mid() > best.mid() else where
            else:
                heappush(heap, (bound.max(-value.upper()), box, True))
        return Worst(best, where, best.upper().max(-heap[0][0]) if heap else best.upper())


def parts(box: Box) -> list[Box]:
    """The box cut in two along its longest stretch."""
    i = max(range(len(box)), key=lambda i: box[i].last - box[i].first)
    return [(*box[:i], half, *box[i + 1 :]) for half in box[i].halves()]


# The privacy of P_DE with real messages for a rational q and e^eps, exactly; letters as in `pairs.parity_pair`.


def parity_law(users: int, holders: int, m: int, q: Fraction) -> list[Fraction]:
    """The masses of 0, ..., N*m ones: the coefficients of A^C (A + qB)^(N-C), C = holders.

    *Exactness*: exact.

    >>> parity_law(1, 0, 2, Fraction(1, 2))
    [Fraction(3, 8), Fraction(1, 4), Fraction(3, 8)]
    """
    check_pool(users, holders, m)
    refuse_if(not -1 <= q <= 1, "q", q, "between -1 and 1")
    return shared_bits(m, Real(q), ZERO).ones(users, holders).exact() or []


def worst_background_exact(
    users: int, k: int, m: int, q: Fraction, exp_eps: Fraction, dummies: int = 0
) -> tuple[Fraction, Background | None]:
    """The largest divergence over every background and neighbour, all of them computed.  *Exactness*: exact."""
    change = Change(users, m, Real(q), k, dummies)
    found = [(change.exact(where, exp_eps), where) for where in backgrounds(users, k, dummies)]
    return max(found, key=lambda pair: pair[0], default=(Fraction(0), None))


def backgrounds(users: int, k: int, dummies: int = 0) -> Iterator[tuple[int, int]]:
    """Every (CA, CB) that other users can form: none for k = 1, CA + CB = N-1 for k = 2, at most N-1 for more.

    Dummies hold the element 1, which is neither or one of the two.

    >>> list(backgrounds(2, 2)), list(backgrounds(3, 3, 2))
    ([(0, 1), (1, 0)], [(0, 0), (0, 2), (2, 0)])
    """
    for a in range(users if k > 1 else 0):
        for b in range(users - a) if k > 2 else (users - 1 - a,):
            if possible(background_box((a, b)), users, k, dummies):
                yield a, b


# How far the pools of P_DE are from an ideal modular sum: norms, the ideal divergences, and what they bound.
#
# Legend: as in `pairs.parity_pair`; M = N*m are the bits of a pool, and kappa_j = ||A^(N-j) B^j||_1 (the sum of the
# absolute values of the coefficients; docs/shares.md).


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


def near_ideal(change: Change, exp_eps: Real, precision: int) -> arb:
    """The largest divergence over every background and neighbour, from the ideal sum: [ideal, ideal + err].

    *Formula*: the parity of a pool is exactly that of the ideal sum, and a function of the view, so that delta is at
    least the ideal value.  Each law is within r = sum_{j=1}^{N-1} C(N, j) q^j kappa_j, in norm, of A^N (a holder) or of
    A^N + q^N B^N (none), whose pairs are those of the ideal sum; half of it for each of two pools on both sides
    gives err = (1+E) r; for one pool half of that would do.  *Exactness*: enclosure.

    delta does not increase in E, so ideal + err at any point from 1 to E is an upper bound at E.  It is convex and has
    its corner where the ideal value becomes 0, at (1+Q)/(1-Q) for a pair and at 1/(1-Q) or 1+Q for a pool: the least is
    at one of these, at 1 or at E.
    """
    change.check(exp_eps)
    users, q = change.users, change.q
    radius, bound = middle_norm_upper(users, change.m, q, precision), exp_eps.ball(precision)
    with ctx.workprec(precision + users.bit_length()):
        share = q.ball_here() ** users
        ends = ((1 + share) / (1 - share), 1 / (1 - share), 1 + share)
        points = [arb(1), bound, *(end for end in ends if end <= bound)]
        upper = min((change.ideal(share, point) + (1 + point) * radius).upper() for point in points)
        return change.ideal(share, bound).lower().max(arb(0)).union(upper.min(arb(1)))


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


class CroppedPools(ParityPools):
    """Pools without the far ends of their laws, so that their cost grows as the root of the number of bits.

    The law of every number of users is computed once, from that of half as many: close numbers share all but the last.
    """

    def __init__(self, users: int, m: int, q: Real) -> None:
        super().__init__(users, m, q, CROPPED_PRECISION)
        with ctx.workprec(LAW_BITS + 16):
            masses = [ball_bounds(mass, LAW_BITS)[0] for mass in Shares(q, m).masses(1, LAW_BITS)]
        self.one, self.powers = IntegerLaw(fmpz_poly(masses), 0, LAW_BITS), {0: point(0, LAW_BITS)}

    def power(self, users: int) -> IntegerLaw:
        """The law of the given number of users who hold something else."""
        if users not in self.powers:
            half = self.power(users // 2)
            square = half.plus(half).cut(CROPPED_PRECISION)
            self.powers[users] = square.plus(self.one).cut(CROPPED_PRECISION) if users % 2 else square
        return self.powers[users]

    def laws(self, users: int, holders: int) -> tuple[IntegerLaw, IntegerLaw]:
        """law_(C+1) and law_C, C = holders < users, from their common factor A^C (A+qB)^(N-C-1)."""
        held = binomial_floor(self.m * holders, HALF, LAW_BITS)
        others = held.plus(self.power(users - holders - 1)).cut(CROPPED_PRECISION)
        return others.plus(binomial_floor(self.m, HALF, LAW_BITS)), others.plus(self.one)

    def between(self, users: int, holders: int) -> Pool:
        """law_(C+1) and law_C where their masses are accurate in both; laws have the mass 1, so the rest is known."""
        accurate = [
            {x: mass for x, mass in enclosed(law) if mass.rel_accuracy_bits() >= KEPT_BITS}
            for law in self.laws(users, holders)
        ]
        common = sorted(accurate[0].keys() & accurate[1].keys())
        masses = [[law[x] for x in common] for law in accurate]
        rests = [(1 - sum(law, arb(0))).upper().max(arb(0)) for law in masses]
        return Pool(masses[0], masses[1], *rests)


def enclosed(law: IntegerLaw) -> list[tuple[int, arb]]:
    """The outcomes, and enclosures of their masses: what is missing may be anywhere."""
    with ctx.workprec(LAW_BITS):
        missing, unit = law.missing, arb(2) ** -law.bits
        return [(x, (mass + missing) * unit) for x, mass in law.items()]


class LargePools:
    """Pools of more bits than are enumerated: their cropped laws, and the search at each e^eps, once each."""

    def __init__(self, change: Change) -> None:
        self.change = change
        self.search = cache(self.new_search)

    @cached_property
    def pools(self) -> CroppedPools:
        """The cropped laws."""
        return CroppedPools(self.change.users, self.change.m, self.change.q)

    def new_search(self, exp_eps: Real) -> Worst:
        """A search that is as long as it may be; the outcomes of a pool grow as the root of its bits."""
        tries = LEAST_TRIES + MORE_TRIES // isqrt(self.change.users * self.change.m)
        return self.change.search(self.pools, exp_eps, tries)

    def worst(self, exp_eps: Real, precision: int) -> tuple[arb, Background]:
        """delta over every background, and the worst background that was looked at."""
        self.change.check(exp_eps)
        ideal, background = arb(0), self.change.ideal_background
        if not self.change.is_pure(exp_eps, precision):
            ideal = near_ideal(self.change, exp_eps, precision)
        if self.is_enough(ideal):
            return ideal, background
        found = self.search(exp_eps)
        return common(found, ideal, precision), tuple(stretch.first for stretch in found.where)

    def is_enough(self, ideal: arb) -> bool:
        """Whether the enclosure by the ideal sum is close, or all that there is."""
        tiny, bits = arb(2) ** -NEGLIGIBLE_BITS, self.change.users * self.change.m
        return bool(ideal.rel_accuracy_bits() >= CLOSE_BITS or ideal <= tiny or bits > CROPPED_BITS)


def common(found: Worst, ideal: arb, precision: int) -> arb:
    """A ball around what a search and the ideal sum leave of a number, which both enclose."""
    with ctx.workprec(precision):
        upper = found.upper.max(arb(2) ** -NEGLIGIBLE_BITS).min(ideal.upper())
        return found.best.lower().max(ideal.lower()).union(upper)
