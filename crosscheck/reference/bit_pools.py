"""Pools of bits: P^zsum, the histogram on it, the binary sums of section 2.3, and m flipped copies of a bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice

from panshuffle.crosscheck.mass_tables import MassTable, bernoulli, point, stretched, table_of
from panshuffle.crosscheck.reference.areas import DATA, MESSAGES, NOISE, POOLS
from panshuffle.crosscheck.reference.model import (
    LEAST,
    MOST,
    MOST_PLACES,
    Arrangement,
    Bug,
    Fit,
    Laws,
    Reference,
    WrongAnalyzer,
)
from panshuffle.crosscheck.reference.pools import PoolSetting, pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.laws.pool_law import NOTHING, Coin, Ones, PoolLaw, flipped_bits, noisy_bits
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum

PoolValue = Callable[[tuple[int, int]], object]
BC20 = "bc20"
FLIPS = ("flip", "or", "and")
"""Kinds where a user sends one message, the bit that is flipped with probability p: always, from 0 only, or from 1."""


@dataclass(frozen=True)
class Bits(PoolSetting):
    """Users send what the kind says: one message in `FLIPS`, two elsewhere."""

    p: Real
    kind: str = "sum"

    def pool(self, count: int) -> tuple[MassTable, MassTable]:
        """(messages, ones)."""
        size, held = point(self.users if self.kind in FLIPS else 2 * self.users), min(count, self.users)
        if self.kind == "same":
            return size, stretched(bernoulli(self.p), self.users).moved(held)
        return size, table_of(SENT[self.kind](self.p).ones(self.users, held))

    def knobs(self) -> tuple[Fit, ...]:
        """Another p, and others who take part."""
        return self.knob("p", self.p, "p", LEAST, MOST), self.users_knob()


def coins(*chances: Real) -> Ones:
    """Coins with these chances."""
    return Ones(0, tuple((Coin(p), 1) for p in chances))


SENT: dict[str, Callable[[Real], PoolLaw]] = {
    "sum": noisy_bits,
    "flip": partial(flipped_bits, 1),
    "or": lambda p: PoolLaw(Ones(1), coins(p)),
    "and": lambda p: PoolLaw(coins(1 - p), NOTHING),
    "others": lambda p: PoolLaw(Ones(1), coins(p)),
    "twice": lambda p: PoolLaw(Ones(2), NOTHING),
    "xor": lambda p: PoolLaw(coins(1 - p).plus(coins(p)), coins(p).times(2)),
}
"""What a user adds to the ones of a pool, rightly or with a mistake; where all have the same coins, no user adds it."""


def bit_bugs(good: Bits, n: int) -> Iterator[Bug]:
    """Mistakes of P^zsum's randomizer."""
    yield from good.dropout_bugs(n)
    yield good.mutated("only one message a user: the bit, flipped with probability p", MESSAGES, kind="flip")
    yield good.mutated("the bit is sent twice, the noise bit not at all", DATA, kind="twice")
    yield good.mutated("all users have the same coins", POOLS, kind="same")
    if any(good.counts):
        yield good.mutated("only users whose bit is 0 add noise: the others' noise bit is 0", NOISE, kind="others")
    yield good.mutated("the true bit is flipped, too", DATA, kind="xor")
    yield from good.count_bugs()


def flip_bugs(good: Bits, n: int) -> Iterator[Bug]:
    """Mistakes of the randomizer that flips bits."""
    yield from good.dropout_bugs(n)
    yield good.mutated("noise is only added to zeros: a set bit is never flipped", NOISE, kind="or")
    yield good.mutated("noise is only added to ones: a zero is never flipped", NOISE, kind="and")
    yield from good.count_bugs()


def binary_sum(record: BinarySum, data: Sequence[int]) -> Reference:
    """P^zsum."""
    good = Bits(len(data), (sum(data),), record.p)
    sent = replace(arranged(((1, x) for x in data), copies=2), columns=tuple(data[:MOST_PLACES]))
    found = noisy_sums(record, good, sent, lambda value: lambda run: value(run.pool(1)))
    return replace(found, analyzers={BC20: lambda run: Fraction(record.analyze_pools([run.pool(1)]), record.n)})


def shuffle_histogram(record: ShuffleHistogram, data: Sequence[int]) -> Reference:
    """The histogram on P^zsum."""
    k = record.k
    good = Bits(len(data), tuple(data.count(j) for j in range(1, k + 1)), record.p)
    sent = arranged(((j, int(x == j)) for x in data for j in range(1, k + 1)), copies=2)
    found = noisy_sums(record, good, sent, lambda value: lambda run: [value(pool) for pool in run.pools_up_to(k)])

    def frequencies(run: Run) -> list[Fraction]:
        return [Fraction(count, record.n) for count in record.analyze_pools(run.pools_up_to(k))]

    return replace(found, analyzers={BC20: frequencies})


def noisy_sums(
    record: BinarySum | ShuffleHistogram,
    good: Bits,
    sent: Arrangement,
    shown: Callable[[PoolValue], Callable[[Run], object]],
) -> Reference:
    """P^zsum in each pool; `shown` says what is put out, from the value of a pool."""
    k, bugs = len(good.counts), bit_bugs(good, record.n)
    output, wrong = expected_output(record, k), wrong_sums(record, good.users, shown)
    return pool_reference(good, k, bugs, output, wrong, knobs=good.knobs(), relabelled=False, arrangement=sent)


def arranged(messages: Iterable[tuple[int, int]], copies: int = 1) -> Arrangement:
    """Each message as it is sent before the shuffle, followed by noise in the same pool where there are two copies."""
    sent = list(islice((message for message in messages for _ in range(copies)), MOST_PLACES))
    return Arrangement(labels=tuple(label for label, _ in sent), bits=tuple(bit for _, bit in sent))


def expected_output(record: BinarySum | ShuffleHistogram | TwoBitSum, k: int) -> Callable[[Run], object]:
    """What the analyzer puts out for the pools of a run."""
    return lambda run: record.analyze_pools(run.pools_up_to(k))


def wrong_sums(
    record: BinarySum | ShuffleHistogram, users: int, output: Callable[[PoolValue], Callable[[Run], object]]
) -> Iterator[WrongAnalyzer]:
    """Likely mistakes of the analyzers on P^zsum; `output` says what becomes of the value of a pool."""
    n, p = record.n, record.p
    yield WrongAnalyzer("the number of ones is put out, n is not subtracted", output(lambda pool: pool[1]))
    yield WrongAnalyzer("the users who take part are subtracted, not n", output(lambda pool: max(0, pool[1] - users)))
    yield WrongAnalyzer("negative values are kept", output(lambda pool: pool[1] - n))
    yield WrongAnalyzer("the zeros are counted", output(lambda pool: max(0, pool[0] - n)))
    yield WrongAnalyzer("the sum is de-biased by np", output(lambda pool: pool[1] - n * p))
    yield WrongAnalyzer("the value is off by one", output(lambda pool: max(0, pool[1] - n) + 1))
    yield WrongAnalyzer("the value is off by one", output(lambda pool: max(0, pool[1] - n - 1)))
    yield WrongAnalyzer("n - 1 is subtracted, not n", output(lambda pool: max(0, pool[1] - n + 1)))


def two_bit_sum(record: TwoBitSum, data: Sequence[tuple[int, int]]) -> Reference:
    """The example of section 2.3, whose analyzer has no output at p = 1/2."""
    good = Bits(len(data), (sum(a for a, _ in data), sum(b for _, b in data)), record.p, kind="flip")
    expected = None if record.p.fraction == HALF.fraction else expected_output(record, 2)
    sent = arranged((j, bit) for pair in data for j, bit in enumerate(pair, start=1))
    bugs, wrong_analyzers = flip_bugs(good, record.n), wrong_two_bit_sums(record, len(data))
    return pool_reference(good, 2, bugs, expected, wrong_analyzers, knobs=good.knobs(), arrangement=sent)


def wrong_two_bit_sums(record: TwoBitSum, users: int) -> tuple[WrongAnalyzer, ...]:
    """Likely mistakes of its analyzer."""
    n, p = record.n, record.p

    def each(function: Callable[[int], object]) -> Callable[[Run], object]:
        return lambda run: [function(ones) for _, ones in run.pools_up_to(2)]

    return (
        WrongAnalyzer("the sums are not de-biased", each(lambda ones: ones)),
        WrongAnalyzer("np is subtracted, but there is no division by 1 - 2p", each(lambda ones: ones - n * p)),
        WrongAnalyzer(
            "the mean of the users who take part is subtracted, not that of n",
            each(lambda ones: (ones - users * p) / (1 - 2 * p)),
        ),
        WrongAnalyzer("the sums are divided by 1 - p", each(lambda ones: (ones - n * p) / (1 - p))),
        WrongAnalyzer("the two sums are exchanged", lambda run: record.analyze_pools(run.pools_up_to(2)[::-1])),
    )


def poisson_binomial(record: PoissonBinomial, data: Sequence[int]) -> Reference:
    """The ones of m bits a user."""
    good = Bits(len(data) * record.m, (sum(data) * record.m,), record.p, kind="flip")
    many = Fit(
        "m", real(record.m), Fraction(1), Fraction(4 * record.m), partial(copied, record, data), MESSAGES, whole=True
    )
    bugs = flip_bugs(good, record.n * record.m)
    return pool_reference(
        good,
        1,
        bugs,
        lambda run: record.analyze_pools(run.pools_up_to(1)),
        wrong_poisson_binomials(record),
        knobs=(good.knobs()[0], many),
        relabelled=False,
        arrangement=arranged((1, x) for x in data for _ in range(record.m)),
    )


def copied(record: PoissonBinomial, data: Sequence[int], m: Real) -> Laws:
    """The laws where every user sends m bits."""
    copies = (m + HALF).floor()
    return Bits(len(data) * copies, (sum(data) * copies,), record.p, kind="flip").laws()


def wrong_poisson_binomials(record: PoissonBinomial) -> tuple[WrongAnalyzer, ...]:
    """Likely mistakes of the analyzer."""
    m, p, n = record.m, record.p, record.n

    def ones(run: Run) -> int:
        return run.pool(1)[1]

    def right(run: Run) -> Real:
        return record.analyze_pools([run.pool(1)])

    return (
        WrongAnalyzer("the number of ones is put out", ones),
        WrongAnalyzer("the mean is subtracted, but there is no division", lambda run: ones(run) - sum(run.pool(1)) * p),
        WrongAnalyzer("the estimate divides by 1 - p, not 1 - 2p", lambda run: (1 - 2 * p) / (1 - p) * right(run)),
        WrongAnalyzer("the estimate is not divided by m", lambda run: m * right(run)),
        WrongAnalyzer("the mean of all n users is subtracted", lambda run: (ones(run) - n * m * p) / (m * (1 - 2 * p))),
        WrongAnalyzer("the zeros are counted", lambda run: record.analyze_pools([run.pool(1)[::-1]])),
    )
