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
from fractions import Fraction
from functools import cache, cached_property, partial
from heapq import heappop, heappush
from itertools import accumulate, pairwise, product
from typing import NamedTuple

from flint import arb, ctx
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.laws.pool_law import shared_bits
from panshuffle.exact.pairs.divergence import pair_gain, pool_gain
from panshuffle.exact.parameters import check_count, check_parity_curve, check_pool, check_share, refuse_if
from panshuffle.exact.real import Real, largest, real

Background = tuple[int, int]

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
        self.pools: dict[Stretch, Pool] = {}

    def pool(self, stretch: Stretch) -> Pool:
        """The pool whose divergences are at least those of every count of the stretch, and equal those of one count."""
        if stretch not in self.pools:
            users = self.users - (stretch.last - stretch.first)
            with ctx.workprec(self.precision):
                self.pools[stretch] = self.between(users, stretch.first)
        return self.pools[stretch]

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


def settled_ball(evaluate: Callable[[int], arb], precision: int) -> arb:
    """The same of a number."""
    return settled(lambda inner: Worst(evaluate(inner), (), arb(1)), precision).best


class Single(NamedTuple):
    """One pool: a gained and a lost holder at E and at sqrt(E), and the total variation."""

    gain: arb
    lose: arb
    gain_root: arb
    lose_root: arb
    tv: arb


def single_at(pool: Pool, bound: arb) -> Single:
    """The divergences of one pool at the working precision."""
    root = bound.sqrt()
    return Single(pool.gain(bound), pool.lose(bound), pool.gain(root), pool.lose(root), pool.gain(arb(1)))


Box = tuple[Stretch, ...]
"""Backgrounds that are bounded together: a stretch of other holders for each pool."""
Candidate = tuple[arb, Box, int]
"""Minus an upper bound of a divergence, which comes first in a heap, its box, and how sharp the bound is."""


Measure = Callable[[Box], arb]


class Worst(NamedTuple):
    """The largest divergence is at least `best`, which is taken at `where`, and at most `upper`."""

    best: arb
    where: Box
    upper: arb


def worst_background(
    users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int, dummies: int = 0
) -> tuple[arb, Background | None]:
    """The largest divergence over every background and neighbour, and where it is taken (None for k = 1).

    This many of the users are dummies, who hold the element 1; P_DE itself has none.
    Backgrounds are left out only where an upper bound of their divergences is at most a value that was found.
    Where several values overlap, the background is one of them; where all are 0, the first.  *Exactness*: enclosure.
    """
    check_parity_curve(users, 0, m, q, exp_eps)
    check_count("k", k)
    if k == 1:
        return arb(0), None
    if is_pure(q, exp_eps, True, precision):
        return arb(0), ideal_background(users, k)
    found = settled(lambda inner: worst_pair(ParityPools(users, m, q, inner), k, exp_eps, dummies=dummies), precision)
    return found.best, (found.where[0].first, found.where[1].first)


def background_box(background: Sequence[int]) -> Box:
    """The box of one background."""
    return tuple(Stretch(count, count) for count in background)


def ideal_background(users: int, k: int) -> Background:
    """The worst background with an ideal modular sum, a good one to begin with: no other holder, as far as k allows."""
    return (0, 0) if k > 2 else (0, users - 1)


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


def worst_pair(pools: ParityPools, k: int, exp_eps: Real, tries: int | None = None, dummies: int = 0) -> Worst:
    """The pair in its worst background."""
    bound, users = exp_eps.ball(pools.precision), pools.users
    cuts = stretches(users)

    @cache
    def single(stretch: Stretch) -> Single:
        return single_at(pools.pool(stretch), bound)

    sharper: tuple[Measure, ...] = (
        lambda box: split_upper(single(box[0]), single(box[1]), bound.sqrt()),
        lambda box: pair_at(pools, box, bound),
    )
    start = background_box(ideal_background(users, k))
    allowed = partial(possible, users=users, k=k, dummies=dummies)
    return largest_in(pools, allowed, product(cuts, cuts), start, sharper, tries)


def pair_at(pools: ParityPools, box: Box, bound: arb) -> arb:
    """The divergence of a pair of pools, which no background of the box exceeds."""
    first, second = (pools.pool(stretch) for stretch in box)
    with ctx.workprec(pools.precision):
        return pair_divergence(first, second, bound)


def largest_in(
    pools: ParityPools,
    allowed: Callable[[Box], bool],
    boxes: Iterable[Box],
    start: Box,
    sharper: Sequence[Measure],
    tries: int | None,
) -> Worst:
    """The largest divergence over all allowed backgrounds of the boxes, best first, from the value at `start`.

    Each box is bounded by ever sharper measures, the last of which is the value where the box is one background; other
    boxes are then cut in two, and the bound of the whole holds for the parts.  With `tries`, the search ends after so
    many of the last measures, or where little is left to gain, and `upper` is the largest bound that is left.
    """
    last = len(sharper) - 1
    with ctx.workprec(pools.precision):
        best, where = sharper[last](start), start
        heap: list[Candidate] = [(arb(-1), box, 0) for box in boxes if box != start and allowed(box)]
        close, floor = 1 + arb(2) ** -CLOSE_BITS, arb(2) ** -NEGLIGIBLE_BITS
        while heap and tries != 0:
            enough = best.lower() if tries is None else floor.max(best.lower() * close)
            if -heap[0][0] <= enough:
                break
            bound, box, stage = heappop(heap)
            if stage > last:
                for part in parts(box):
                    if part != start and allowed(part):
                        heappush(heap, (bound, part, 0))
                continue
            value = sharper[stage](box)
            tries = tries - 1 if tries is not None and stage == last else tries
            if stage == last and all(stretch.single for stretch in box):
                best, where = best.max(value), box if value.mid() > best.mid() else where
            else:
                heappush(heap, (bound.max(-value.upper()), box, stage + 1))
        return Worst(best, where, best.upper().max(-heap[0][0]) if heap else best.upper())


def parts(box: Box) -> list[Box]:
    """The box cut in two along its longest stretch."""
    i = max(range(len(box)), key=lambda i: box[i].last - box[i].first)
    return [(*box[:i], half, *box[i + 1 :]) for half in box[i].halves()]


def split_upper(a: Single, b: Single, root: arb) -> arb:
    """An upper bound of a pair from its single pools, root = sqrt(E).

    *Formula*: for E = uv, P_a P_b - E Q_a Q_b = (P_a - u Q_a) P_b + u Q_a (P_b - v Q_b), so the divergence is at
    most gain_a(u) + u lose_b(v), and, with a and b exchanged, lose_b(v) + v gain_a(u).
    """
    halves = (a.gain_root + root * b.lose_root).min(b.lose_root + root * a.gain_root)
    return (a.tv + b.lose).min(a.gain + b.tv).min(halves).upper()


def is_pure(q: Real, exp_eps: Real, pair: bool, precision: int) -> bool:
    """Whether e^eps is certified to be so large that delta is 0 in every background: (1+q)/(1-q), 1/(1-q) for a pool.

    *Proof*: the messages of one user have the generating function A as a holder and A + qB else, with coefficients in
    the ratio 1/(1+q) at even and 1/(1-q) at odd sums.  So law_(C+1)(x)/law_C(x), a quotient of two sums with the same
    positive weights, lies in [1/(1+q), 1/(1-q)] whatever m is, and 1+q <= 1/(1-q).
    """
    largest_ratio = (1 + q if pair else 1) / (1 - q)
    return bool(exp_eps.ball(precision) >= largest_ratio.ball(precision))


def enumerated(users: int, m: int) -> bool:
    """Whether a pool is so small that every background is covered by whole laws, to any number of digits."""
    return users <= ENUMERATED_USERS and users * m <= ENUMERATED_BITS


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


def parity_pool_delta_exact(users: int, holders: int, m: int, q: Fraction, exp_eps: Fraction, gain: bool) -> Fraction:
    """The same for rational q and e^eps.  *Exactness*: exact.

    >>> parity_pool_delta_exact(1, 0, 1, Fraction(1, 2), Fraction(1), gain=True)
    Fraction(1, 4)
    """
    check_parity_curve(users, holders, m, Real(q), Real(exp_eps))
    more, fewer = exact_pool(users, holders, m, q)
    return pool_gain(more, fewer, exp_eps) if gain else pool_gain(fewer, more, exp_eps)


def parity_pair_delta_exact(
    users: int, holders_a: int, holders_b: int, m: int, q: Fraction, exp_eps: Fraction
) -> Fraction:
    """The same for rational q and e^eps.  *Exactness*: exact.

    >>> parity_pair_delta_exact(1, 0, 0, 1, Fraction(1, 2), Fraction(1))
    Fraction(1, 4)
    """
    check_parity_curve(users, 0, m, Real(q), Real(exp_eps))
    check_background(users, (holders_a, holders_b))
    gains, loses = (exact_pool(users, holders, m, q) for holders in (holders_a, holders_b))
    return pair_gain(gains, loses[::-1], exp_eps)


def exact_pool(users: int, holders: int, m: int, q: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """law_(C+1) and law_C."""
    return parity_law(users, holders + 1, m, q), parity_law(users, holders, m, q)


def worst_background_exact(
    users: int, k: int, m: int, q: Fraction, exp_eps: Fraction, dummies: int = 0
) -> tuple[Fraction, Background | None]:
    """The largest divergence over every background and neighbour, all of them computed.  *Exactness*: exact."""
    check_parity_curve(users, 0, m, Real(q), Real(exp_eps))
    check_count("k", k)
    found = [(parity_pair_delta_exact(users, *where, m, q, exp_eps), where) for where in backgrounds(users, k, dummies)]
    return max(found, key=lambda pair: pair[0], default=(Fraction(0), None))


# P_DE in a given background, and one pool in its worst one; the letters are those of `exact.pairs.parity_pair`.


def backgrounds(users: int, k: int, dummies: int = 0) -> Iterator[Background]:
    """Every (CA, CB) that other users can form: none for k = 1, CA + CB = N-1 for k = 2, at most N-1 for more.

    Dummies hold the element 1, which is neither or one of the two.

    >>> list(backgrounds(2, 2)), list(backgrounds(3, 3, 2))
    ([(0, 1), (1, 0)], [(0, 0), (0, 2), (2, 0)])
    """
    for a in range(users if k > 1 else 0):
        for b in range(users - a) if k > 2 else (users - 1 - a,):
            if possible(background_box((a, b)), users, k, dummies):
                yield a, b


def check_background(users: int, background: Background) -> None:
    """*Raises* `ParameterError` unless the other holders of a and of b are different users."""
    a, b = background
    if a < 0 or b < 0 or a + b > users - 1:
        raise ParameterError("holders", f"{a},{b}", f"two counts, at least 0, with a sum of at most {users - 1}")


def parity_pair_delta(
    users: int, holders_a: int, holders_b: int, m: int, q: Real, exp_eps: Real, precision: int
) -> arb:
    """The hockey-stick divergence of the pair of pools.  *Exactness*: enclosure."""
    check_parity_curve(users, 0, m, q, exp_eps)
    check_background(users, (holders_a, holders_b))

    box = background_box((holders_a, holders_b))
    return settled_ball(lambda inner: pair_at(ParityPools(users, m, q, inner), box, exp_eps.ball(inner)), precision)


def parity_pool_delta(users: int, holders: int, m: int, q: Real, exp_eps: Real, gain: bool, precision: int) -> arb:
    """The hockey-stick divergence of law_(C+1) from law_C (`gain`) or of law_C from law_(C+1), C = holders.

    *Exactness*: enclosure.
    """
    check_parity_curve(users, holders, m, q, exp_eps)

    def evaluate(inner: int) -> arb:
        pool = ParityPools(users, m, q, inner).pool(Stretch(holders, holders))
        bound = exp_eps.ball(inner)
        with ctx.workprec(inner):
            return pool.gain(bound) if gain else pool.lose(bound)

    return settled_ball(evaluate, precision)


def worst_pool_background(
    users: int, m: int, q: Real, ways: tuple[bool, ...], exp_eps: Real, precision: int
) -> tuple[arb, int]:
    """The largest divergence of one pool that gains (True) or loses (False) a holder, and its other holders."""
    check_parity_curve(users, 0, m, q, exp_eps)
    if is_pure(q, exp_eps, False, precision):
        return arb(0), 0
    found = settled(lambda inner: worst_pool(ParityPools(users, m, q, inner), ways, exp_eps), precision)
    return found.best, found.where[0].first


def worst_pool(pools: ParityPools, ways: tuple[bool, ...], exp_eps: Real, tries: int | None = None) -> Worst:
    """One pool that gains (True) or loses (False) a holder, in its worst background."""
    bound = exp_eps.ball(pools.precision)

    def value(box: Box) -> arb:
        pool = pools.pool(box[0])
        return largest(pool.gain(bound) if gain else pool.lose(bound) for gain in ways)

    start, *others = [(stretch,) for stretch in stretches(pools.users)]
    return largest_in(pools, lambda box: True, others, start, (value,), tries)
