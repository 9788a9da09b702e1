"""Parity pools of P_DE for a certificate.  Standard library only.

Legend: a user sends m bits to a pool; the number of ones in the pool of N users, C of them holders, has the
generating function A^C (A + q B)^(N-C), A = ((1+z)/2)^m, B = ((1-z)/2)^m, whose coefficients are not negative: even
ones of A + q B are C(m, i) (1+q)/2^m, odd ones C(m, i) (1-q)/2^m.  A law is a list of integers rounded down and one
rounded up, in units of 1/T.  A user who changes from a to b, with CA other holders of a and CB of b, gives
    P = law_(CA+1) x law_CB,    Q = law_CA x law_(CB+1),
and so does the opposite change in the background (CB, CA).  E = e^eps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb
from typing import NamedTuple

from exact.check import Bounds, Interval, Rejected

MOST_MESSAGES, MOST_USERS = 2000, 200
MOST_WORK, MOST_SUMMED = 120_000_000, 10_000_000
EXACT_BITS = 6000
GUARD = 64

Background = tuple[int, int]


class Law(NamedTuple):
    """The masses of 0, 1, ... ones times T, rounded down and up."""

    low: Sequence[int]
    high: Sequence[int]


class Step(NamedTuple):
    """One pool's part of a change: its laws under P and under Q."""

    p: Law
    q: Law


def product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """The product of two polynomials without negative coefficients, as one product of two integers."""
    length = (max(left).bit_length() + max(right).bit_length() + min(len(left), len(right)).bit_length()) // 8 + 1
    packed = [int.from_bytes(b"".join(c.to_bytes(length, "little") for c in p), "little") for p in (left, right)]
    size = len(left) + len(right) - 1
    data = (packed[0] * packed[1]).to_bytes(size * length, "little")
    return [int.from_bytes(data[i : i + length], "little") for i in range(0, size * length, length)]


def binomials(size: int) -> list[int]:
    """C(size, 0), ..., C(size, size)."""
    found = [1]
    for i in range(size):
        found.append(found[-1] * (size - i) // (i + 1))
    return found


class Pools:
    """The laws of one pool for every number of holders, each computed once.

    For a short rational q they are exact with T = (2^m d)^N, d the denominator of q; else T = 2^(bits+64).  T has
    `length` bits, which counts as work.
    """

    def __init__(self, users: int, m: int, q: Interval, bits: int) -> None:
        if users * m > MOST_MESSAGES or users * m * min(users, MOST_USERS) * bits > MOST_WORK:
            raise Rejected(f"a pool has more than {MOST_MESSAGES} messages, or too many for {bits} bits")
        self.users, self.m = users, m
        denominator = q[0].denominator
        length = (m + denominator.bit_length()) * users
        work = users * m * min(users, MOST_USERS) * length
        self.exact = q[0] == q[1] and length <= EXACT_BITS and work <= MOST_WORK
        self.length = length if self.exact else bits + GUARD
        self.one = denominator << m if self.exact else 1 << (bits + GUARD)
        self.total = self.one**users if self.exact else self.one
        self.known: dict[int, Law] = {}
        unit = 1 if self.exact else self.one
        flips = Law(
            self.coefficients(lambda i: 1 - q[1] if i % 2 else 1 + q[0], up=False),
            self.coefficients(lambda i: 1 - q[0] if i % 2 else 1 + q[1], up=True),
        )
        self.powers = {0: Law([unit], [unit]), 1: flips}

    def coefficients(self, factor: Callable[[int], Fraction], up: bool) -> list[int]:
        """C(m, i) factor(i) / 2^m in units of `one`."""
        values = [comb(self.m, i) * factor(i) * self.one / (1 << self.m) for i in range(self.m + 1)]
        return [-(-v.numerator // v.denominator) if up else v.numerator // v.denominator for v in values]

    def scaled(self, values: Sequence[int], up: bool) -> list[int]:
        """A product of two laws, in units of 1/T again."""
        if self.exact:
            return [*values]
        return [-(-v // self.one) if up else v // self.one for v in values]

    def times(self, left: Law, right: Law) -> Law:
        """The law of a sum."""
        return Law(
            self.scaled(product(left.low, right.low), up=False), self.scaled(product(left.high, right.high), up=True)
        )

    def power(self, j: int) -> Law:
        """(A + q B)^j: from the power before if that is known, else from its halves."""
        if j not in self.powers:
            left = j - 1 if j - 1 in self.powers else j // 2
            self.powers[j] = self.times(self.power(left), self.power(j - left))
        return self.powers[j]

    def fair(self, holders: int) -> Law:
        """A^C."""
        size, unit = self.m * holders, self.one**holders if self.exact else self.one
        masses = [value * unit for value in binomials(size)]
        return Law([v >> size for v in masses], [-(-v >> size) for v in masses])

    def law(self, holders: int) -> Law:
        """The law with C holders."""
        if holders not in self.known:
            self.known[holders] = self.times(self.power(self.users - holders), self.fair(holders))
        return self.known[holders]

    def gain(self, holders: int) -> Step:
        """A pool that gains a holder and had so many others."""
        return Step(self.law(holders + 1), self.law(holders))

    def lose(self, holders: int) -> Step:
        """A pool that loses a holder and had so many others."""
        return Step(self.law(holders), self.law(holders + 1))


def pool_upper(step: Step, factor: Fraction, total: int) -> Fraction:
    """An upper bound of one pool's delta at E = factor."""
    a, b = factor.numerator, factor.denominator
    excess = (b * p - a * q for p, q in zip(step.p.high, step.q.low, strict=True))
    return Fraction(sum(e for e in excess if e > 0), b * total)


class Sorted(NamedTuple):
    """Outcomes by falling P/Q (P from above, Q from below), with the sums of the first 0, 1, ... of four masses."""

    p: Sequence[int]
    q: Sequence[int]
    sums: Sequence[Sequence[int]]


def by_ratio(step: Step, falling: bool = True) -> Sorted:
    """The outcomes sorted exactly: quotients of integers below 2^s differ by more than 2^-2s."""
    digits = 2 * max(*step.p.high, *step.q.high).bit_length()
    infinite = 1 << (2 * digits)
    keys = [(p << digits) // q if q else infinite for p, q in zip(step.p.high, step.q.low, strict=True)]
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=falling)
    columns = [[column[x] for x in order] for column in (step.p.low, step.p.high, step.q.low, step.q.high)]
    return Sorted(columns[1], columns[2], [[*accumulate(column, initial=0)] for column in columns])


def counts(first: Sorted, second: Sorted, ratio: Fraction) -> Iterator[int]:
    """For each outcome of the second pool, by rising ratio, how many of the first have P P' > ratio Q Q'."""
    (a, b, count, size) = (ratio.numerator, ratio.denominator, 0, len(first.p))
    for p, q in zip(second.p, second.q, strict=True):
        (left, right) = (b * p, a * q)
        while count < size and left * first.p[count] > right * first.q[count]:
            count += 1
        yield count


def pair_upper(first: Sorted, second: Sorted, exp_eps: Fraction, total: int) -> Fraction:
    """An upper bound of delta: the divergence of masses rounded up from masses rounded down."""
    gains = costs = 0
    for i, count in enumerate(counts(first, second, exp_eps)):
        gains += second.p[i] * first.sums[1][count]
        costs += second.q[i] * first.sums[2][count]
    return Fraction(gains, total * total) - exp_eps * Fraction(costs, total * total)


def pair_event(first: Sorted, second: Sorted, ratio: Fraction, total: int) -> Bounds:
    """The masses of {P > ratio * Q}, decided with P rounded up and Q rounded down."""
    sums = [0, 0, 0, 0]
    columns = [differences(column) for column in second.sums]
    for i, count in enumerate(counts(first, second, ratio)):
        for j in range(4):
            sums[j] += columns[j][i] * first.sums[j][count]
    return Bounds(*(Fraction(value, total * total) for value in sums))


def differences(sums: Sequence[int]) -> list[int]:
    """The values whose running sums these are."""
    return [right - left for left, right in pairwise(sums)]


def pool_event(step: Step, ratio: Fraction, total: int) -> Bounds:
    """The masses of {P > ratio * Q} in one pool."""
    order = by_ratio(step)
    count = sum(ratio.denominator * p > ratio.numerator * q for p, q in zip(order.p, order.q, strict=True))
    return Bounds(*(Fraction(column[count], total) for column in order.sums))


def backgrounds(users: int, k: int) -> Iterator[Background]:
    """Every (CA, CB) that the other users can form: all of them hold a or b if k = 2."""
    for a in range(users):
        for b in range(users - a) if k > 2 else (users - 1 - a,):
            yield a, b


class Single(NamedTuple):
    """Upper bounds for one pool: a gained and a lost holder at E and at a root r with r^2 <= E, and at 1."""

    gain: Fraction
    lose: Fraction
    gain_root: Fraction
    lose_root: Fraction
    distance: Fraction


def every_pair_upper(pools: Pools, k: int, exp_eps: Fraction, root: Fraction, delta: Fraction) -> Background | None:
    """The first background whose delta is not seen to be at most the given one; None if all are.

    A pair is bounded by its single pools: for E >= u v, P P' - E Q Q' <= (P - u Q) P' + u Q (P' - v Q'), so it is at
    most gain(u) + u lose(v), and in the same way lose(v) + v gain(u), with u = 1, v = 1 and u = v = r.  Where that
    is not enough the pair is summed.
    """
    singles = [single(pools, holders, exp_eps, root) for holders in reversed(range(pools.users))][::-1]
    falling: dict[int, Sorted] = {}
    rising: dict[int, Sorted] = {}
    summed = 0
    for a, b in backgrounds(pools.users, k):
        if split_upper(singles[a], singles[b], root) <= delta:
            continue
        summed += pools.users * pools.m * (1 + pools.length // 512)
        if summed > MOST_SUMMED:
            raise Rejected("too many backgrounds have to be summed")
        first = falling.get(a) or falling.setdefault(a, by_ratio(pools.gain(a)))
        second = rising.get(b) or rising.setdefault(b, by_ratio(pools.lose(b), falling=False))
        if pair_upper(first, second, exp_eps, pools.total) > delta:
            return a, b
    return None


def single(pools: Pools, holders: int, exp_eps: Fraction, root: Fraction) -> Single:
    """The bounds of one pool."""
    gain, lose, total = pools.gain(holders), pools.lose(holders), pools.total
    return Single(
        gain=pool_upper(gain, exp_eps, total),
        lose=pool_upper(lose, exp_eps, total),
        gain_root=pool_upper(gain, root, total),
        lose_root=pool_upper(lose, root, total),
        distance=pool_upper(gain, Fraction(1), total),
    )


def split_upper(a: Single, b: Single, root: Fraction) -> Fraction:
    """The bound of a pair from its single pools."""
    halves = min(a.gain_root + root * b.lose_root, b.lose_root + root * a.gain_root)
    return min(a.distance + b.lose, a.gain + b.distance, halves)
