"""Pools of bits: P^zsum, the histogram on it, and the two binary sums of section 2.3."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice

from panshuffle.crosscheck.mass_tables import MassTable, bernoulli, binomial, point, stretched
from panshuffle.crosscheck.reference.bit_families import (
    LARGEST_GROUP,
    MOST_DOUBTED,
    evened_coins,
    grouped_coins,
    pools_of,
    user_doubts,
)
from panshuffle.crosscheck.reference.model import (
    DATA,
    DROPOUTS,
    LEAST,
    MESSAGES,
    MOST,
    MOST_PLACES,
    NOISE,
    POOLS,
    Arrangement,
    Bug,
    Fit,
    Laws,
    Reference,
    Slip,
    fixed,
    pool_laws,
)
from panshuffle.crosscheck.reference.pools import PoolSetting, pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.twins import EVENED_OUT
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum

PoolValue = Callable[[tuple[int, int]], object]
BC20 = "bc20"
MIXED = 4.0  # nats that a function of both bits has to be better by than a simpler mistake
FLIPS = ("flip", "or", "and")
"""Kinds where a user sends one message, the bit that is flipped with probability p: always, from 0 only, or from 1."""


@dataclass(frozen=True)
class Bits(PoolSetting):
    """Users send their bit `copies` times and `coins` Ber(p) bits, or as the kind says."""

    p: Real
    copies: int = 1
    coins: int = 1
    kind: str = "sum"

    def laws(self) -> Laws:
        """(messages, ones) of each pool."""
        size = self.users if self.kind in FLIPS else self.users * (self.copies + self.coins)
        return pool_laws([(point(size), self.ones(min(c, self.users))) for c in self.counts])

    def ones(self, count: int) -> MassTable:
        """The ones of a pool with so many holders."""
        return ones_of(self.kind, self.users, count * self.copies, self.users * self.coins, self.p)

    def resized(self, size: int) -> Iterator[Bug]:
        """Others who take part."""
        each = 1 if self.kind in FLIPS else self.copies + self.coins
        if size % each == 0 and size // each not in (0, self.users):
            users = size // each
            yield self.but(f"another number of users: {users} send messages, not {self.users}", DROPOUTS, users=users)

    def chance_bugs(self, what: str) -> Iterator[Bug]:
        """Likely mistakes in the probability of a noise bit."""
        p = self.p
        chances = {"1 - p": 1 - p, "p/2": p / 2, "no noise, p = 0": real(0), "p = 1/2": HALF, "p^2": p * p, "2p": 2 * p}
        for name, other in chances.items():
            if other <= 1:
                words = f"{what}: {name if '=' in name else f'{name} in place of p'}"
                coin = ", as if with probability p a bit were replaced by a fair coin" if self.kind in FLIPS else ""
                yield self.but(words + (coin if name == "p/2" else ""), NOISE, p=other)

    def knobs(self) -> tuple[Fit, ...]:
        """Another p, and others who take part."""
        users = self.knob("number of users", self.users, "users", 1, 2 * self.users + 2, DROPOUTS, whole=True)
        return self.knob("p", self.p, "p", LEAST, MOST), users

    def doubts(self, n: int) -> tuple[Fit, ...]:
        """Mistakes that some users make."""
        unknown = self.copies != 1 or self.coins != 1 or self.kind not in ("sum", "flip")
        if unknown or self.users * len(set(self.counts)) > MOST_DOUBTED:
            return ()
        flipped = self.kind == "flip"
        return user_doubts(
            self.users, max(n, self.users), self.counts, self.users * (1 if flipped else 2), self.p, flipped
        )

    def suspicions(self) -> Iterator[Bug]:
        """Coins that are not independent."""
        if self.kind != "sum" or self.coins != 1:
            return
        noise = {
            f"a noise bit is shared by {group} users": grouped_coins(self.users, self.p, group)
            for group in range(2, min(self.users, LARGEST_GROUP) + 1)
        }
        noise[f"{EVENED_OUT}: np of them are 1, rounded down or up"] = evened_coins(self.users, self.p)
        for name, law in noise.items():
            area = POOLS if "shared" in name else NOISE
            yield Bug(name, area, partial(pools_of, 2 * self.users, [law.moved(c) for c in self.counts]))
        yield from self.cached()

    def cached(self) -> Iterator[Bug]:
        """Noise that users with the same bit share, and messages that are not sent."""
        p, users, coin = self.p, self.users, bernoulli(self.p)
        shared = [stretched(coin, c).plus(stretched(coin, users - c)).moved(c) for c in self.counts]
        yield Bug("users with the same bit have the same noise bit", POOLS, partial(pools_of, 2 * users, shared))
        once = [(binomial(c, 1 - p).plus(binomial(users - c, p)).moved(users), c) for c in self.counts]
        ones = [(size, binomial(users - c, p).moved(c)) for size, c in once]
        for bit, words in ((1, "users whose bit is 1 send no noise"), (0, "users whose bit is 0 send no noise")):
            noisy = [users - c if bit else c for c in self.counts]
            fewer = [(point(users + n), binomial(n, p).moved(c)) for n, c in zip(noisy, self.counts, strict=True)]
            yield fixed(words, MESSAGES, *pool_laws(fewer))
        yield fixed("equal messages of a user are sent once", MESSAGES, *pool_laws(ones))


@lru_cache(maxsize=512)
def ones_of(kind: str, users: int, count: int, coins: int, p: Real) -> MassTable:
    """The ones of a pool."""
    if kind == "flip":
        return binomial(count, 1 - p).plus(binomial(users - count, p))
    if kind == "or":
        return binomial(users - count, p).moved(count)
    if kind == "and":
        return binomial(count, 1 - p)
    if kind == "same":
        return stretched(bernoulli(p), coins).moved(count)
    if kind == "others":
        return binomial(max(0, coins - count), p).moved(count)
    if kind == "sure":
        return binomial(max(0, coins - count), p).moved(2 * count)
    if kind == "again":
        return binomial(count, 1 - p).plus(binomial(max(0, coins - count), p)).moved(count)
    if kind == "xor":
        return binomial(count, 1 - p).plus(binomial(users - count, p)).plus(binomial(coins, p))
    return binomial(coins, p).moved(count)


def bit_bugs(good: Bits, n: int) -> Iterator[Bug]:
    """Mistakes of P^zsum's randomizer."""
    yield from good.chance_bugs("wrong noise bit")
    yield from good.dropout_bugs(n)
    yield good.but("only one message a user: the noise bit is missing", MESSAGES, coins=0)
    yield good.but("only one message a user: the bit itself is missing", MESSAGES, copies=0)
    yield good.but("only one message a user: the bit, flipped with probability p", MESSAGES, kind="flip")
    yield good.but("two noise bits a user", MESSAGES, coins=2)
    yield good.but("the bit is sent twice", MESSAGES, copies=2)
    yield good.but("the bit is sent twice, the noise bit not at all", DATA, copies=2, coins=0)
    yield good.but("all users have the same coins", POOLS, kind="same")
    if any(good.counts):
        yield good.but("only users whose bit is 0 add noise: the others' noise bit is 0", NOISE, kind="others")
        yield good.but("only users whose bit is 0 add noise: the others' noise bit is 1", NOISE, kind="sure")
    yield good.but("the true bit is flipped, too", DATA, kind="xor")
    yield good.but("the noise bit is the bit, flipped with probability p", DATA, kind="again")
    yield from good.count_bugs()
    if n > good.users:
        for words, size, coins in (
            ("those who left still send their noise bit", good.users + n, n),
            ("those who left still send their bit, as a 0, but no noise", good.users + n, good.users),
        ):
            ones = [binomial(coins, good.p).moved(c) for c in good.counts]
            yield Bug(words, DROPOUTS, partial(pools_of, size, ones))


def flip_bugs(good: Bits, n: int) -> Iterator[Bug]:
    """Mistakes of the randomizer that flips bits."""
    yield from good.chance_bugs("wrong flip probability")
    yield from good.dropout_bugs(n)
    if n > good.users:
        coins = binomial(n - good.users, HALF)
        ones = [good.ones(min(c, good.users)).plus(coins) for c in good.counts]
        yield Bug("those who left send fair coins", DROPOUTS, partial(pools_of, n, ones))
    yield good.but("noise is only added to zeros: a set bit is never flipped", NOISE, kind="or")
    yield good.but("noise is only added to ones: a zero is never flipped", NOISE, kind="and")
    yield from good.count_bugs()


def binary_sum(record: BinarySum, data: Sequence[int]) -> Reference:
    """P^zsum."""
    good = Bits(len(data), (sum(data),), record.p)
    slips = binary_slips(record, len(data), lambda value: lambda run: value(run.pool(1)))
    expected = expected_output(record, 1)
    sent = replace(arranged(((1, x) for x in data), copies=2), columns=tuple(data[:MOST_PLACES]))
    bugs = bit_bugs(good, record.n)
    found = pool_reference(
        good, 1, bugs, expected, slips, knobs=good.knobs(), relabelled=False, arrangement=sent, n=record.n
    )
    return replace(found, analyzers={BC20: lambda run: frequency(record.analyze_pools([run.pool(1)]), record.n)})


def shuffle_histogram(record: ShuffleHistogram, data: Sequence[int]) -> Reference:
    """The histogram on P^zsum."""
    k = record.k
    good = Bits(len(data), tuple(data.count(j) for j in range(1, k + 1)), record.p)
    slips = binary_slips(record, len(data), lambda value: lambda run: [value(pool) for pool in run.pools_up_to(k)])
    expected = expected_output(record, k)
    sent = arranged(((j, int(x == j)) for x in data for j in range(1, k + 1)), copies=2)
    bugs = bit_bugs(good, record.n)
    found = pool_reference(
        good, k, bugs, expected, slips, knobs=good.knobs(), relabelled=k > 1, arrangement=sent, n=record.n
    )

    def frequencies(run: Run) -> list[Fraction]:
        return [frequency(count, record.n) for count in record.analyze_pools(run.pools_up_to(k))]

    return replace(found, analyzers={BC20: frequencies})


def frequency(count: int, n: int) -> Fraction:
    """A count as Balcer and Cheu put it out: as a part of all n users."""
    return Fraction(count, n)


def arranged(messages: Iterable[tuple[int, int]], copies: int = 1) -> Arrangement:
    """Each message as it is sent before the shuffle, followed by noise in the same pool where there are two copies."""
    sent = list(islice((message for message in messages for _ in range(copies)), MOST_PLACES))
    return Arrangement(labels=tuple(label for label, _ in sent), bits=tuple(bit for _, bit in sent))


def expected_output(record: BinarySum | ShuffleHistogram | TwoBitSum, k: int) -> Callable[[Run], object]:
    """What the analyzer puts out for the pools of a run."""
    return lambda run: record.analyze_pools(run.pools_up_to(k))


def binary_slips(
    record: BinarySum | ShuffleHistogram, users: int, output: Callable[[PoolValue], Callable[[Run], object]]
) -> Iterator[Slip]:
    """Likely mistakes of the analyzers on P^zsum; `output` says what becomes of the value of a pool."""
    n, p = record.n, record.p
    yield Slip("the number of ones is put out, n is not subtracted", output(lambda pool: pool[1]))
    yield Slip("the users who take part are subtracted, not n", output(lambda pool: max(0, pool[1] - users)))
    yield Slip("negative values are kept", output(lambda pool: pool[1] - n))
    yield Slip("the zeros are counted", output(lambda pool: max(0, pool[0] - n)))
    yield Slip("the sum is de-biased by np", output(lambda pool: pool[1] - n * p))
    yield Slip("the value is off by one", output(lambda pool: max(0, pool[1] - n) + 1))
    yield Slip("the value is off by one", output(lambda pool: max(0, pool[1] - n - 1)))
    yield Slip("n - 1 is subtracted, not n", output(lambda pool: max(0, pool[1] - n + 1)))


def two_bit_sum(record: TwoBitSum, data: Sequence[tuple[int, int]]) -> Reference:
    """The example of section 2.3, whose analyzer has no output at p = 1/2."""
    good = Bits(len(data), (sum(a for a, _ in data), sum(b for _, b in data)), record.p, kind="flip")
    expected = None if record.p.fraction == HALF.fraction else expected_output(record, 2)
    sent = arranged((j, bit) for pair in data for j, bit in enumerate(pair, start=1))
    bugs, slips = flip_bugs(good, record.n), two_bit_slips(record, len(data))
    found = pool_reference(good, 2, bugs, expected, slips, knobs=good.knobs(), arrangement=sent, n=record.n)
    suspects = found.suspects or (lambda _: ())
    return replace(found, suspects=lambda counts: (*mixed_bits(good, data), *suspects(counts)))


def mixed_bits(good: Bits, data: Sequence[tuple[int, int]]) -> Iterator[Bug]:
    """One message that is a function of both bits."""
    functions: dict[str, Callable[[int, int], int]] = {
        "the XOR": lambda a, b: a ^ b,
        "the AND": lambda a, b: a & b,
        "the OR": lambda a, b: a | b,
    }
    for name, function in functions.items():
        total = sum(function(a, b) for a, b in data)
        yield good.but(f"the first message is {name} of both bits", DATA, price=MIXED, counts=(total, good.counts[1]))
        yield good.but(f"the second message is {name} of both bits", DATA, price=MIXED, counts=(good.counts[0], total))
    for j, which in enumerate(("first", "second")):
        yield good.but(f"both messages are the {which} bit", DATA, price=MIXED, counts=(good.counts[j],) * 2)


def two_bit_slips(record: TwoBitSum, users: int) -> tuple[Slip, ...]:
    """Likely mistakes of its analyzer."""
    n, p = record.n, record.p

    def each(function: Callable[[int], object]) -> Callable[[Run], object]:
        return lambda run: [function(ones) for _, ones in run.pools_up_to(2)]

    return (
        Slip("the sums are not de-biased", each(lambda ones: ones)),
        Slip("np is subtracted, but there is no division by 1 - 2p", each(lambda ones: ones - n * p)),
        Slip(
            "the mean of the users who take part is subtracted, not that of n",
            each(lambda ones: (ones - users * p) / (1 - 2 * p)),
        ),
        Slip("the sums are divided by 1 - p", each(lambda ones: (ones - n * p) / (1 - p))),
        Slip("the two sums are exchanged", lambda run: record.analyze_pools(run.pools_up_to(2)[::-1])),
    )
