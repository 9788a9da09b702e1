"""Pools of bits: P^zsum, the histogram on it, and the two binary sums of section 2.3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from crosscheck.reference.model import (
    DATA,
    DROPOUTS,
    LABELS,
    LEAST,
    MESSAGES,
    MOST,
    NOISE,
    Fit,
    Laws,
    Reference,
    Slip,
    overwritten,
    pool_laws,
    pool_names,
    shifted_labels,
    sizes_and_ones,
    zero_based,
)
from crosscheck.reference.parity_pools import bug_list, stretched
from crosscheck.runs import Run
from crosscheck.tables import Table, bernoulli, binomial, point
from exact.numbers.real import HALF, Real, real


@dataclass(frozen=True)
class Bits:
    """Users of whom counts[j] hold j send their bit `copies` times and `coins` Ber(p) bits."""

    users: int
    counts: tuple[int, ...]
    p: Real
    copies: int = 1
    coins: int = 1
    kind: str = "sum"

    def laws(self) -> Laws:
        """(messages, ones) of each pool."""
        return pool_laws([(point(self.size()), self.ones(min(c, self.users))) for c in self.counts])

    def size(self) -> int:
        """The messages in a pool."""
        return self.users if self.kind == "flip" else self.users * (self.copies + self.coins)

    def ones(self, count: int) -> Table:
        """The ones of a pool with so many holders."""
        return ones_of(self.kind, self.users, count * self.copies, self.users * self.coins, self.p)


@lru_cache(maxsize=512)
def ones_of(kind: str, users: int, count: int, coins: int, p: Real) -> Table:
    """The ones of a pool."""
    if kind == "flip":
        return binomial(count, 1 - p).plus(binomial(users - count, p))
    if kind == "same":
        return stretched(bernoulli(p), coins).moved(count)
    if kind == "others":
        return binomial(max(0, coins - count), p).moved(count)
    if kind == "sure":
        return binomial(max(0, coins - count), p).moved(2 * count)
    if kind == "xor":
        return binomial(count, 1 - p).plus(binomial(users - count, p)).plus(binomial(coins, p))
    return binomial(coins, p).moved(count)


def chances(p: Real) -> Iterator[tuple[str, Real]]:
    """Likely mistakes in the probability of a noise bit."""
    yield "1 - p in place of p", 1 - p
    yield "p/2 in place of p", p / 2
    yield "no noise, p = 0", real(0)
    yield "p = 1/2", HALF
    yield "p^2 in place of p", p * p
    if 2 * p <= 1:
        yield "2p in place of p", 2 * p


def bit_bugs(good: Bits, n: int) -> Iterator[tuple[str, str, Bits]]:
    """Mistakes of P^zsum's randomizer."""
    for name, p in chances(good.p):
        yield f"wrong noise bit: {name}", NOISE, replace(good, p=p)
    if n != good.users:
        yield "the dropouts are missing: all n users send messages", DROPOUTS, replace(good, users=n)
    for users in (good.users - 1, good.users + 1):
        if users >= 1:
            yield "one user too many or too few sends messages", DROPOUTS, replace(good, users=users)
    yield "only one message a user: the noise bit is missing", MESSAGES, replace(good, coins=0)
    yield "only one message a user: the bit itself is missing", MESSAGES, replace(good, copies=0)
    yield "only one message a user: the bit, flipped with probability p", MESSAGES, replace(good, kind="flip")
    yield "two noise bits a user", MESSAGES, replace(good, coins=2)
    yield "the bit is sent twice", MESSAGES, replace(good, copies=2)
    yield "all users have the same coins", NOISE, replace(good, kind="same")
    if any(good.counts):
        yield "only users whose bit is 0 add noise: the others' noise bit is 0", NOISE, replace(good, kind="others")
        yield "only users whose bit is 0 add noise: the others' noise bit is 1", NOISE, replace(good, kind="sure")
    yield "the true bit is flipped, too", DATA, replace(good, kind="xor")
    yield from count_bugs(good)


def count_bugs(good: Any) -> Iterator[tuple[str, str, Any]]:
    """Mistakes in how the data enters pools of bits."""
    yield "the bits are inverted", DATA, replace(good, counts=tuple(good.users - c for c in good.counts))
    yield "the data is left out: all bits are 0", DATA, replace(good, counts=(0,) * len(good.counts))
    for name, counts in shifted_labels(good.counts):
        yield name, LABELS, replace(good, counts=tuple(counts))


def reference(good: Any, bugs: Any, record: Any, slips: Sequence[Slip], scalar: bool = False) -> Reference:
    """The reference of a protocol on pools of bits."""
    k = len(good.counts)
    laws = tuple(good.laws())
    extra = (overwritten(laws), zero_based(laws, True)) if k > 1 else ()

    def output(run: Run) -> Any:
        return record.analyze_pools([run.pool(j) for j in range(1, k + 1)])

    names = pool_names(k, ("messages", "ones"))
    expected = None if scalar and record.p.fraction == HALF.fraction else output
    fit = Fit("p", good.p, LEAST, MOST, lambda p: replace(good, p=p).laws())
    every = (*bug_list(bugs), *extra)
    return Reference(names, laws, sizes_and_ones(k), (0,) * len(laws), every, expected, tuple(slips), fit=fit)


def binary_sum(record: Any, data: list[int]) -> Reference:
    """P^zsum."""
    good = Bits(len(data), (sum(data),), record.p)
    return reference(good, bit_bugs(good, record.n), record, binary_slips(record, 1, len(data)))


def shuffle_histogram(record: Any, data: list[int]) -> Reference:
    """The histogram on P^zsum."""
    good = Bits(len(data), tuple(data.count(j) for j in range(1, record.k + 1)), record.p)
    return reference(good, bit_bugs(good, record.n), record, binary_slips(record, record.k, len(data)))


def binary_slips(record: Any, k: int, users: int) -> tuple[Slip, ...]:
    """Likely mistakes of the analyzers on P^zsum."""

    def each(function: Any) -> Any:
        def output(run: Run) -> Any:
            values = [function(run.pool(j)) for j in range(1, k + 1)]
            return values if hasattr(record, "k") else values[0]

        return output

    n, p = record.n, record.p
    return (
        Slip("the number of ones is put out, n is not subtracted", each(lambda pool: pool[1])),
        Slip("the users who take part are subtracted, not n", each(lambda pool: max(0, pool[1] - users))),
        Slip("negative values are kept", each(lambda pool: pool[1] - n)),
        Slip("the zeros are counted", each(lambda pool: max(0, pool[0] - n))),
        Slip("the sum is de-biased by np", each(lambda pool: pool[1] - n * p)),
        Slip("the value is off by one", each(lambda pool: max(0, pool[1] - n) + 1)),
        Slip("the value is off by one", each(lambda pool: max(0, pool[1] - n - 1))),
    )


@dataclass(frozen=True)
class Flips:
    """Users of whom counts[j] have the bit j set; every bit is flipped with probability p."""

    users: int
    counts: tuple[int, ...]
    p: Real
    kind: str = "flip"

    def laws(self) -> Laws:
        """(messages, ones) of each position."""
        return pool_laws([(point(self.users), self.ones(min(c, self.users))) for c in self.counts])

    def ones(self, count: int) -> Table:
        """The ones at one position."""
        if self.kind == "or":
            return binomial(self.users - count, self.p).moved(count)
        if self.kind == "and":
            return binomial(count, 1 - self.p)
        return ones_of("flip", self.users, count, 0, self.p)


def two_bit_sum(record: Any, data: list[tuple[int, int]]) -> Reference:
    """The example of section 2.3."""
    good = Flips(len(data), (sum(a for a, _ in data), sum(b for _, b in data)), record.p)
    return reference(good, flip_bugs(good, record.n), record, two_bit_slips(record), scalar=True)


def flip_bugs(good: Flips, n: int) -> Iterator[tuple[str, str, Flips]]:
    """Mistakes of its randomizer."""
    for name, p in chances(good.p):
        yield f"wrong flip probability: {name}", NOISE, replace(good, p=p)
    if n != good.users:
        yield "the dropouts are missing: all n users send messages", DROPOUTS, replace(good, users=n)
    for users in (good.users - 1, good.users + 1):
        if users >= 1:
            yield "one user too many or too few sends messages", DROPOUTS, replace(good, users=users)
    yield "noise is only added to zeros: a set bit is never flipped", NOISE, replace(good, kind="or")
    yield "noise is only added to ones: a zero is never flipped", NOISE, replace(good, kind="and")
    yield from count_bugs(good)


def two_bit_slips(record: Any) -> tuple[Slip, ...]:
    """Likely mistakes of its analyzer."""
    n, p = record.n, record.p
    return (
        Slip("the sums are not de-biased", lambda run: [run.pool(j)[1] for j in (1, 2)]),
        Slip(
            "np is subtracted, but there is no division by 1 - 2p", lambda run: [run.pool(j)[1] - n * p for j in (1, 2)]
        ),
        Slip("the sums are divided by 1 - p", lambda run: [(run.pool(j)[1] - n * p) / (1 - p) for j in (1, 2)]),
        Slip("the two sums are exchanged", lambda run: record.analyze_pools([run.pool(2), run.pool(1)])),
    )
