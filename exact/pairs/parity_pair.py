"""The privacy of P_DE with real messages: one pool, the pair that a changed user touches, the worst background.

Legend: A = ((1+z)/2)^m, B = ((1-z)/2)^m; a user whose bit is one with probability (1-s)/2 contributes the factor A + sB
to the generating function of the ones in a pool.  law_C = A^C (A + qB)^(N-C), the ones in a pool with C holders.
A user who changes from a to b, with CA other holders of a and CB other holders of b, gives
    upper = law_(CA+1) x law_CB,    lower = law_CA x law_(CB+1),
so the opposite change is the background (CB, CA).  rho_C = law_(C+1)/law_C.  E = e^eps >= 1, so that every
hockey-stick divergence is at most the total variation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from heapq import heappop, heappush
from itertools import pairwise, product
from math import isqrt
from typing import Literal, NamedTuple

from flint import arb, ctx

from exact.errors import ParameterError
from exact.numbers.certified import largest
from exact.numbers.real import Real
from exact.pairs.parity_ideal import bounded_delta, bounded_pool_delta
from exact.pairs.parity_pools import ParityPools, Pool, Stretch, pair_divergence
from exact.parameters import check_count, check_parity_curve

Background = tuple[int, int]

GUARD = 64
ATTEMPTS = 4
ENUMERATED_BITS = 2000
"""Bits of a pool up to which every mass of its laws is computed, to any number of digits."""
ENUMERATED_USERS = 200
"""The same for users: where backgrounds are close to each other, the search may come to all N^2/2 of them."""
CROPPED_BITS = 2_000_000
"""Bits of a pool up to which its law is computed without its far ends: some ten thousand masses, ten seconds."""
CLOSE_BITS = 40
"""Correct bits of a bound from both sides with which a search is content: more than the ten digits that are shown."""
NEGLIGIBLE_BITS = 176
"""An upper end below 2^-176 is not claimed of cropped laws: what is left out of them is not much smaller."""
LEAST_TRIES, MORE_TRIES = 24, 8000
"""Pairs of cropped pools that are computed before a bound is taken as it is: so many, and more where they are small."""


def settled(evaluate: Callable[[int], arb], precision: int) -> arb:
    """The first enclosure with `precision` correct leading bits, or the best one after a few attempts."""
    ball = evaluate(precision + GUARD)
    for attempt in range(1, ATTEMPTS):
        if ball.rel_accuracy_bits() >= precision:
            return ball
        ball = evaluate((precision + GUARD) << attempt)
    return ball


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

    return settled(evaluate, precision)


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

    def evaluate(inner: int) -> arb:
        return pair_at(ParityPools(users, m, q, inner), background_box((holders_a, holders_b)), exp_eps.ball(inner))

    return settled(evaluate, precision)


def backgrounds(users: int, k: int) -> Iterator[Background]:
    """Every (CA, CB) that other users can form: none for k = 1, CA + CB = N-1 for k = 2, at most N-1 for more.

    >>> list(backgrounds(2, 2))
    [(0, 1), (1, 0)]
    """
    for a in range(users if k > 1 else 0):
        for b in range(users - a) if k > 2 else (users - 1 - a,):
            yield a, b


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
    users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int
) -> tuple[arb, Background | None]:
    """The largest divergence over every background and neighbour, and where it is taken (None for k = 1).

    Backgrounds are left out only where an upper bound of their divergences is at most a value that was found.
    Where several values overlap, the background is one of them; where all are 0, the first.  *Exactness*: enclosure.
    """
    check_parity_curve(users, 0, m, q, exp_eps)
    check_count("k", k)
    if k == 1:
        return arb(0), None
    where: list[Box] = []

    def evaluate(inner: int) -> arb:
        found = worst_pair(ParityPools(users, m, q, inner), k, exp_eps)
        where[:] = [found.where]
        return found.best

    ball = settled(evaluate, precision)
    return ball, (where[0][0].first, where[0][1].first)


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


def possible(box: Box, users: int, k: int) -> bool:
    """Whether a box has a background that other users can form."""
    if len(box) == 1:
        return True
    least, most = sum(stretch.first for stretch in box), sum(stretch.last for stretch in box)
    return least <= users - 1 and (k > 2 or most >= users - 1)


def worst_pair(pools: ParityPools, k: int, exp_eps: Real, tries: int | None = None) -> Worst:
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
    boxes = [box for box in product(cuts, cuts) if box != start and possible(box, users, k)]
    return largest_in(pools, k, boxes, start, sharper, tries)


def worst_pool(pools: ParityPools, ways: tuple[bool, ...], exp_eps: Real, tries: int | None = None) -> Worst:
    """One pool that gains (True) or loses (False) a holder, in its worst background."""
    bound = exp_eps.ball(pools.precision)

    def value(box: Box) -> arb:
        pool = pools.pool(box[0])
        return largest(pool.gain(bound) if gain else pool.lose(bound) for gain in ways)

    start, *others = [(stretch,) for stretch in stretches(pools.users)]
    return largest_in(pools, 3, others, start, (value,), tries)


def pair_at(pools: ParityPools, box: Box, bound: arb) -> arb:
    """The divergence of a pair of pools, which no background of the box exceeds."""
    first, second = (pools.pool(stretch) for stretch in box)
    with ctx.workprec(pools.precision):
        return pair_divergence(first, second, bound)


def largest_in(
    pools: ParityPools, k: int, boxes: Sequence[Box], start: Box, sharper: Sequence[Measure], tries: int | None
) -> Worst:
    """The largest divergence over all backgrounds of the boxes, best first, from the value at `start`.

    Each box is bounded by ever sharper measures, the last of which is the value where the box is one background; other
    boxes are then cut in two, and the bound of the whole holds for the parts.  With `tries`, the search ends after so
    many of the last measures, or where little is left to gain, and `upper` is the largest bound that is left.
    """
    last = len(sharper) - 1
    with ctx.workprec(pools.precision):
        best, where = sharper[last](start), start
        heap: list[Candidate] = [(arb(-1), box, 0) for box in boxes]
        close, floor = 1 + arb(2) ** -CLOSE_BITS, arb(2) ** -NEGLIGIBLE_BITS
        while heap and tries != 0:
            enough = best.lower() if tries is None else floor.max(best.lower() * close)
            if -heap[0][0] <= enough:
                break
            bound, box, stage = heappop(heap)
            if stage > last:
                for part in parts(box):
                    if part != start and possible(part, pools.users, k):
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


class LargePools:
    """Pools of more bits than are enumerated: their cropped laws, and the search at each e^eps, once each."""

    def __init__(self, users: int, m: int, q: Real) -> None:
        self.users, self.m, self.q = users, m, q
        self.found: dict[tuple[object, Real], Worst] = {}

    @cached_property
    def pools(self) -> ParityPools:
        """The cropped laws."""
        return ParityPools(self.users, self.m, self.q, None)

    @property
    def tries(self) -> int:
        """How long a search may be; the outcomes of a pool grow as the root of its bits."""
        return LEAST_TRIES + MORE_TRIES // isqrt(self.users * self.m)

    def pair(self, k: int, exp_eps: Real, precision: int) -> tuple[arb, Background]:
        """delta of a pair over every background, and the worst background that was looked at."""
        ideal = bounded_delta(self.users, k, self.m, self.q, exp_eps, precision)
        if self.is_enough(ideal):
            return ideal, ideal_background(self.users, k)
        if (k, exp_eps) not in self.found:
            self.found[k, exp_eps] = worst_pair(self.pools, k, exp_eps, self.tries)
        found = self.found[k, exp_eps]
        return common(found, ideal, precision), (found.where[0].first, found.where[1].first)

    def pool(self, ways: tuple[bool, ...], exp_eps: Real, precision: int) -> tuple[arb, int]:
        """The same for one pool that gains (True) or loses (False) a holder."""
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


def distinct_delta(
    users: int, k: int, m: int, q: Real, exp_eps: Real, precision: int, large: LargePools | None = None
) -> tuple[arb, Background | None, Literal["enumerated", "bounded"]]:
    """delta of P_DE at e^eps over every background and neighbour, a background, and how it was found.

    "enumerated": the background is where the maximum is taken, of all that there are.  "bounded": the pool is
    large; the enclosure covers every background, and the one returned is the worst that was looked at.  `large` are
    the pools of the same letters, which serve every e^eps.
    """
    small = enumerated(users, m)
    how: Literal["enumerated", "bounded"] = "enumerated" if small else "bounded"
    if k == 1:
        return arb(0), None, how
    if is_pure(q, exp_eps, True, precision):
        return arb(0), ideal_background(users, k), how
    if small:
        return *worst_background(users, k, m, q, exp_eps, precision), how
    return *(large or LargePools(users, m, q)).pair(k, exp_eps, precision), how


def distinct_pool_delta(
    users: int, m: int, q: Real, ways: tuple[bool, ...], exp_eps: Real, precision: int, large: LargePools
) -> tuple[arb, int]:
    """The same for one pool that gains (True) or loses (False) a holder, with the number of other holders."""
    check_parity_curve(users, 0, m, q, exp_eps)
    if is_pure(q, exp_eps, False, precision):
        return arb(0), 0
    if not enumerated(users, m):
        return large.pool(ways, exp_eps, precision)
    where = [0]

    def evaluate(inner: int) -> arb:
        found = worst_pool(ParityPools(users, m, q, inner), ways, exp_eps)
        where[0] = found.where[0].first
        return found.best

    return settled(evaluate, precision), where[0]
