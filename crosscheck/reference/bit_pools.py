"""Pools of bits: P^zsum, the histogram on it, the binary sums of section 2.3, and m flipped copies of a bit.

In families of mistakes, for the diagnosis only, a letter s is the share of users, or the chance, by which one is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice, product

from panshuffle.crosscheck.mass_tables import (
    MassTable,
    bernoulli,
    binomial,
    listed,
    mixture,
    point,
    repeated,
    stretched,
)
from panshuffle.crosscheck.reference.areas import DATA, DROPOUTS, MESSAGES, NOISE, POOLS
from panshuffle.crosscheck.reference.mistakes import EVENED_OUT
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
    fixed,
    pool_laws,
)
from panshuffle.crosscheck.reference.pools import PoolSetting, pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum

ZERO = real(0)
LARGEST_GROUP = 6  # users who share a coin
MOST_FITTED = 1000  # users, times kinds of pools, up to which families of mistakes are tried: about a second
DEAR = 4.0  # nats that a family has to be better by than another value of a parameter
User = tuple[MassTable, MassTable]  # the ones that a user sends who holds the element, and one who does not


def crowd(user: User, users: int, counts: Sequence[int]) -> list[MassTable]:
    """The ones of pools that so many of the users hold."""
    found = {c: repeated(user[0], min(c, users)).plus(repeated(user[1], users - min(c, users))) for c in set(counts)}
    return [found[c] for c in counts]


def pools_of(size: int, ones: Sequence[MassTable]) -> Laws:
    """The laws of pools of a fixed size."""
    return pool_laws([(point(size), law) for law in ones])


def either_user(share: Real, wrong: User, right: User) -> User:
    """A user who makes a mistake with this probability."""
    weight = Fraction(float(share))
    first, second = (mixture([(weight, a), (1 - weight, b)]) for a, b in zip(wrong, right, strict=True))
    return first, second


def summing_users(p: Real) -> dict[str, tuple[str, User]]:
    """Users who should send their bit and a coin, by the mistake that they make; its area."""
    coin, two = bernoulli(p), stretched(bernoulli(p), 2)
    one, sent = point(1), bernoulli(p).moved(1)
    return {
        "the bit is replaced by noise": (DATA, (coin.plus(coin), coin.plus(coin))),
        "the noise bit is replaced by the bit": (DATA, (point(2), point(0))),
        "the bit is inverted": (DATA, (coin, sent)),
        "a bit 1 is sent as 0": (DATA, (coin, coin)),
        "a bit 0 is sent as 1": (DATA, (sent, sent)),
        "the bit is sent OR the noise bit that follows": (DATA, (sent, two)),
        "the bit is sent XOR the noise bit that follows": (DATA, (one, two)),
        "the bit is sent AND the noise bit that follows": (DATA, (two, coin)),
        "the bit is sent OR another noise bit": (DATA, (sent, coin.plus(coin))),
        "the noise bit is 1": (NOISE, (point(2), one)),
        "the messages are lost, and zeros stand in their place": (DROPOUTS, (point(0), point(0))),
        "the noise bit is the inverted bit": (NOISE, (one, one)),
    }


def flipping_users(p: Real) -> dict[str, tuple[str, User]]:
    """Users who should send their bit flipped with probability p, by the mistake that they make; its area."""
    coin, right = bernoulli(p), (bernoulli(1 - p), bernoulli(p))
    return {
        "the bit is not flipped": (NOISE, (point(1), point(0))),
        "the bit is sent as 0": (DATA, (point(0), point(0))),
        "the bit is sent as 1": (DATA, (point(1), point(1))),
        "the bit is replaced by noise": (DATA, (coin, coin)),
        "the bit is inverted": (DATA, (right[1], right[0])),
    }


def user_fits(users: int, n: int, counts: Sequence[int], size: int, p: Real, flipped: bool) -> tuple[Fit, ...]:
    """Mistakes that some users make, another coin for some of them, and noise bits that are those of another user."""
    coin = bernoulli(p)
    right = (bernoulli(1 - p) if flipped else coin.moved(1), coin)

    def some(mistaken: User) -> Callable[[Real], Laws]:
        return lambda share: pools_of(size, crowd(either_user(share, mistaken, right), users, counts))

    def chance(holders: bool) -> Callable[[Real], Laws]:
        def laws(other: Real) -> Laws:
            held = bernoulli(1 - other) if flipped else bernoulli(other).moved(1)
            return pools_of(size, crowd((held, coin) if holders else (right[0], bernoulli(other)), users, counts))

        return laws

    def paired(pairs: Real) -> Laws:
        again = paired_coins(users, p, (pairs + HALF).floor())
        return pools_of(size, [again.moved(c) for c in counts])

    def present(chance: Real) -> Laws:
        here = either_user(chance, right, (point(0), point(0)))
        everyone = [-(-c * n // users) for c in counts]
        size_law = stretched(binomial(n, chance), size // users)
        return pool_laws([(size_law, law) for law in crowd(here, n, everyone)])

    mistakes = (flipping_users if flipped else summing_users)(p)
    what = "flip probability" if flipped else "chance of the noise bit"
    fits = [
        Fit(f"for about {{:.0%}} of the users {words}", ZERO, Fraction(0), Fraction(1), some(user), area, price=DEAR)
        for words, (area, user) in mistakes.items()
    ]
    words = "who takes part is drawn: each user with a chance of about {:.0%}"
    fits.append(Fit(words, ZERO, Fraction(0), Fraction(1), present, DROPOUTS, price=DEAR))
    for holders in (True, False):
        fits.append(Fit(f"{what} of users whose bit is {int(holders)}", p, LEAST, MOST, chance(holders), price=DEAR))
    if not flipped:
        words = "about {:.0f} users have the noise bit of another user again"
        fits.append(Fit(words, ZERO, Fraction(0), Fraction(users // 2), paired, whole=True, price=DEAR))
    return tuple(fits)


def grouped_coins(coins: int, p: Real, group: int) -> MassTable:
    """The ones of coins that count for so many users each."""
    return stretched(binomial(coins // group, p), group).plus(binomial(coins % group, p))


def paired_coins(coins: int, p: Real, pairs: int) -> MassTable:
    """The ones of coins, so many of which are those of another user again."""
    return stretched(binomial(pairs, p), 2).plus(binomial(coins - 2 * pairs, p))


def evened_coins(coins: int, p: Real) -> MassTable:
    """About np ones, rounded down or up at random: coins that are not independent but evened out."""
    mean = float(p) * coins
    low = int(mean)
    return listed({low: 1 - (mean - low), low + 1: mean - low}) if mean > low else point(low)


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
            yield self.mutated(
                f"another number of users: {users} send messages, not {self.users}", DROPOUTS, users=users
            )

    def chance_bugs(self, what: str) -> Iterator[Bug]:
        """Likely mistakes in the probability of a noise bit."""
        p = self.p
        chances = {"1 - p": 1 - p, "p/2": p / 2, "no noise, p = 0": real(0), "p = 1/2": HALF, "p^2": p * p, "2p": 2 * p}
        for name, other in chances.items():
            if other <= 1:
                words = f"{what}: {name if '=' in name else f'{name} in place of p'}"
                coin = ", as if with probability p a bit were replaced by a fair coin" if self.kind in FLIPS else ""
                yield self.mutated(words + (coin if name == "p/2" else ""), NOISE, p=other)

    def knobs(self) -> tuple[Fit, ...]:
        """Another p, and others who take part."""
        users = self.knob("number of users", self.users, "users", 1, 2 * self.users + 2, DROPOUTS, whole=True)
        return self.knob("p", self.p, "p", LEAST, MOST), users

    def fitted_mistakes(self, n: int) -> tuple[Fit, ...]:
        """Mistakes that some users make."""
        unknown = self.copies != 1 or self.coins != 1 or self.kind not in ("sum", "flip")
        if unknown or self.users * len(set(self.counts)) > MOST_FITTED:
            return ()
        flipped = self.kind == "flip"
        return user_fits(
            self.users, max(n, self.users), self.counts, self.users * (1 if flipped else 2), self.p, flipped
        )

    def diagnosis_only_mistakes(self) -> Iterator[Bug]:
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
    yield good.mutated("only one message a user: the noise bit is missing", MESSAGES, coins=0)
    yield good.mutated("only one message a user: the bit itself is missing", MESSAGES, copies=0)
    yield good.mutated("only one message a user: the bit, flipped with probability p", MESSAGES, kind="flip")
    yield good.mutated("two noise bits a user", MESSAGES, coins=2)
    yield good.mutated("the bit is sent twice", MESSAGES, copies=2)
    yield good.mutated("the bit is sent twice, the noise bit not at all", DATA, copies=2, coins=0)
    yield good.mutated("all users have the same coins", POOLS, kind="same")
    if any(good.counts):
        yield good.mutated("only users whose bit is 0 add noise: the others' noise bit is 0", NOISE, kind="others")
        yield good.mutated("only users whose bit is 0 add noise: the others' noise bit is 1", NOISE, kind="sure")
    yield good.mutated("the true bit is flipped, too", DATA, kind="xor")
    yield good.mutated("the noise bit is the bit, flipped with probability p", DATA, kind="again")
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
    knobs, n = good.knobs(), record.n
    return pool_reference(good, k, bugs, output, wrong, knobs=knobs, relabelled=k > 1, arrangement=sent, n=n)


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
    found = pool_reference(good, 2, bugs, expected, wrong_analyzers, knobs=good.knobs(), arrangement=sent, n=record.n)
    data_driven_mistakes = found.data_driven_mistakes or (lambda _: ())
    return replace(found, data_driven_mistakes=lambda counts: (*mixed_bits(good, data), *data_driven_mistakes(counts)))


def mixed_bits(good: Bits, data: Sequence[tuple[int, int]]) -> Iterator[Bug]:
    """One message that is a function of both bits."""
    functions: dict[str, Callable[[int, int], int]] = {
        "the XOR": lambda a, b: a ^ b,
        "the AND": lambda a, b: a & b,
        "the OR": lambda a, b: a | b,
    }
    for name, function in functions.items():
        total = sum(function(a, b) for a, b in data)
        yield good.mutated(
            f"the first message is {name} of both bits", DATA, price=MIXED, counts=(total, good.counts[1])
        )
        yield good.mutated(
            f"the second message is {name} of both bits", DATA, price=MIXED, counts=(good.counts[0], total)
        )
    for j, which in enumerate(("first", "second")):
        yield good.mutated(f"both messages are the {which} bit", DATA, price=MIXED, counts=(good.counts[j],) * 2)


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


@dataclass(frozen=True)
class Copies(Bits):
    """Every user sends their bit m times, each flipped with probability p: as many users, who send one bit each."""

    m: int = 1

    def diagnosis_only_mistakes(self) -> Iterator[Bug]:
        """Copies of a bit that are not flipped independently."""
        m, p = self.m, self.p
        flips = {"all copies of a bit are flipped together": stretched(bernoulli(p), m)}
        if m * p <= 1:
            flips["at most one of the copies of a bit is flipped"] = bernoulli(m * p)
        flips["only one of the copies of a bit is flipped, with probability p"] = bernoulli(p)
        users, held = self.users // m, self.counts[0] // m
        alike = binomial(m, p).compounded(lambda flipped: point(held * (m - flipped) + (users - held) * flipped))
        yield Bug("all users flip alike", POOLS, partial(pools_of, self.users, [alike]))
        words = "only one of the copies carries the bit, the others a 0"
        yield self.mutated(words, DATA, counts=tuple(c // m for c in self.counts))
        for lost, again in product((0, 1), repeat=2):
            rest, others = held - lost - again, users - 2
            if 0 <= rest <= others:
                twice = stretched(binomial(m, 1 - p if again else p), 2)
                both = twice.plus(binomial(rest * m, 1 - p)).plus(binomial((others - rest) * m, p))
                words = f"a user whose bit is {lost} sends the messages of another, whose bit is {again}, once more"
                yield replace(fixed(words, DROPOUTS, *pools_of(self.users, [both])), price=DEAR)
        flips["one of the copies of a bit is sent as it is, not flipped"] = binomial(m - 1, p)
        flips["each copy is flipped from the copy before, not from the bit"] = piled_up(m, p)
        for name, law in flips.items():
            counts = [c // m for c in self.counts]
            ones = crowd((law.negated().moved(m), law), self.users // m, counts)
            area = POOLS if "together" in name else NOISE
            yield Bug(name, area, partial(pools_of, self.users, ones))


def piled_up(m: int, p: Real) -> MassTable:
    """How many of m copies are unlike the bit, where each is flipped from the one before."""
    law = {(0, 0): 1.0}
    for _ in range(m):
        step: dict[tuple[int, int], float] = {}
        for (now, count), mass in law.items():
            for flip, chance in ((0, 1 - float(p)), (1, float(p))):
                key = now ^ flip, count + (now ^ flip)
                step[key] = step.get(key, 0.0) + mass * chance
        law = step
    return mixture([(mass, point(count)) for (_, count), mass in law.items()])


def poisson_binomial(record: PoissonBinomial, data: Sequence[int]) -> Reference:
    """The ones of m bits a user."""
    good = copies_of(record, data, record.m)
    bugs = (*flip_bugs(good, record.n * record.m), *copy_bugs(record, data, good))
    return pool_reference(
        good,
        1,
        bugs,
        lambda run: record.analyze_pools(run.pools_up_to(1)),
        wrong_poisson_binomials(record),
        knobs=good.knobs(),
        relabelled=False,
        arrangement=arranged((1, x) for x in data for _ in range(record.m)),
        n=record.n * record.m,
    )


def copies_of(record: PoissonBinomial, data: Sequence[int], m: int) -> Copies:
    """The setting where every user sends m bits."""
    return Copies(len(data) * m, (sum(data) * m,), record.p, kind="flip", m=m)


def copy_bugs(record: PoissonBinomial, data: Sequence[int], good: Bits) -> Iterator[Bug]:
    """Mistakes in the number of copies."""
    for m in {record.m - 1, record.m + 1, 2 * record.m, 1} - {0, record.m}:
        other = copies_of(record, data, m)
        yield good.mutated("a wrong number of bits a user", MESSAGES, users=other.users, counts=other.counts)


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
