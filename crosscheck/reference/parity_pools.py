"""Pools of shares: P_MOD and P_DE."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import islice

from panshuffle.crosscheck.mass_tables import MassTable, binomial, image, parity_pool, point, stretched, table_of
from panshuffle.crosscheck.reference.areas import DATA, MESSAGES, POOLS
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
    wrong_analyzers_of,
)
from panshuffle.crosscheck.reference.pools import PoolSetting, pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.laws.pool_law import Coin, Ones, PoolLaw, shared_bits
from panshuffle.exact.real import HALF, Real, exp, real
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.modular_sum import ModularSum

ZERO, ONE = real(0), real(1)


@dataclass(frozen=True)
class Shares(PoolSetting):
    """Users send m shares of a bit; q = 1 - 2p' of those who do not hold the element, `held` that of those who do."""

    m: int
    q: Real
    held: Real
    kind: str = "shares"

    def pool(self, count: int) -> tuple[MassTable, MassTable]:
        """(messages, ones)."""
        return point(self.users * self.m), self.ones(count)

    def ones(self, count: int) -> MassTable:
        """The ones of a pool with so many holders."""
        return ones_of(self.kind, self.users, count, self.m, self.q, self.held)

    def knobs(self) -> tuple[Fit, ...]:
        """Another m, and others who take part."""
        return self.knob("m", self.m, "m", 1, 2 * self.m + 2, MESSAGES, whole=True), self.users_knob()


@lru_cache(maxsize=512)
def ones_of(kind: str, users: int, holders: int, m: int, q: Real, held: Real) -> MassTable:
    """The ones of a pool, for shares as they should be or as they are mistaken."""
    holders = min(holders, users)
    if kind == "copies":
        return stretched(binomial(users - holders, (1 - q) / 2).plus(binomial(holders, (1 - held) / 2)), m)
    if kind == "same" and q.fraction == 1 and held.fraction == -1:
        return image(  # all users have the same first shares, so many of which are one
            binomial(m - 1, HALF), lambda ones: users * ones + (holders if ones % 2 == 0 else users - holders)
        )
    if kind == "same":
        return stretched(parity_pool(1, min(holders, 1), m, q, held), users)
    free = Ones(0, ((Coin(HALF), m),))
    sent = {
        "shares": shared_bits(m, q, held),
        "free": PoolLaw(free, free),
        "plain": PoolLaw(*(Ones(0, ((Coin((1 - sign) / 2), 1), (Coin(HALF), m - 1))) for sign in (held, q))),
    }
    return table_of(sent[kind].ones(users, holders))


def share_bugs(good: Shares, n: int) -> Iterator[Bug]:
    """Mistakes that P_MOD and P_DE have in common."""
    yield from good.dropout_bugs(n)
    yield good.mutated("the shares are free bits: their parity is not the bit", DATA, kind="free")
    yield good.mutated("the last share is the bit itself, not the bit plus the other shares", DATA, kind="plain")
    yield good.mutated("all m messages of a user are the same bit", DATA, kind="copies")
    yield good.mutated("all users have the same coins for their shares", POOLS, kind="same")


def modular_sum(record: ModularSum, data: Sequence[int]) -> Reference:
    """P_MOD: a user's bit is sent as it is."""
    good = Shares(len(data), (sum(data),), record.m, ONE, real(-1))
    wrong_analyzers = (
        WrongAnalyzer("the parity of the zeros is put out", lambda run: run.pool(1)[0] % 2),
        WrongAnalyzer("the other parity is put out", lambda run: 1 - run.pool(1)[1] % 2),
        WrongAnalyzer("the number of ones is put out, not its parity", lambda run: run.pool(1)[1]),
        WrongAnalyzer("the majority bit is put out", lambda run: int(run.pool(1)[1] >= run.pool(1)[0])),
    )
    bugs, arrangement = share_bugs(good, record.n), Arrangement(record.m, sum(data), shared=True)
    return pool_reference(
        good,
        1,
        (*bugs, *good.count_bugs()),
        lambda run: run.pool(1)[1] % 2,
        wrong_analyzers,
        arrangement=arrangement,
        rest=DATA,
        relabelled=False,
        knobs=good.knobs(),
    )


def distinct_elements(record: DistinctElements, data: Sequence[int]) -> Reference:
    """P_DE."""
    counts = tuple(data.count(j) for j in range(1, record.k + 1))
    good = Shares(len(data), counts, record.m, 1 - 2 * record.p_prime, ZERO)
    knobs = (bit_fit(record, lambda q: replace(good, q=q).laws()), *good.knobs())
    bugs = distinct_bugs(good, record.n)
    labels = (j for _ in data for j in range(1, record.k + 1) for _ in range(record.m))
    arrangement = Arrangement(labels=tuple(islice(labels, MOST_PLACES)), shared=True)
    wrong_analyzers = wrong_estimates(record)
    return pool_reference(
        good,
        record.k,
        bugs,
        estimate_of(record),
        wrong_analyzers,
        knobs=knobs,
        arrangement=arrangement,
        fits=(held_fit(good),),
    )


def held_fit(good: Shares) -> Fit:
    """Another chance that the bit of a user who holds the element is 1."""
    name = "chance that the bit of a user who holds the element is 1"
    return Fit(name, HALF, Fraction(0), Fraction(1), lambda p: replace(good, held=1 - 2 * p).laws(), DATA)


def bit_fit(record: DistinctElements, laws: Callable[[Real], Laws]) -> Fit:
    """Another p', by the laws for q = 1 - 2p'."""
    return Fit("p'", record.p_prime, LEAST / 100, MOST / 2, lambda p: laws(1 - 2 * p))


def odd_pools(run: Run, k: int) -> int:
    """The number of pools with an odd number of ones."""
    return sum(ones % 2 for _, ones in run.pools_up_to(k))


def estimate_of(record: DistinctElements) -> Callable[[Run], Real]:
    """What A_DE puts out, which depends on the number of odd pools only."""
    k = record.k

    @cache
    def estimate(odd: int) -> Real:
        return record.analyze_pools([(0, 1)] * odd + [(1, 0)] * (k - odd))

    return lambda run: estimate(odd_pools(run, k))


def distinct_bugs(good: Shares, n: int) -> Iterator[Bug]:
    """Mistakes of P_DE."""
    yield from share_bugs(good, n)
    yield good.mutated("the data is left out: holders send Ber(p'), too", DATA, held=good.q)
    yield good.mutated("holders and others are exchanged", DATA, q=ZERO, held=good.q)
    yield from good.label_bugs()


def floored(value: Real) -> Real:
    """The value, or 0 if it is negative."""
    return value if value > 0 else ZERO


def wrong_estimates(record: DistinctElements) -> tuple[WrongAnalyzer, ...]:
    """Likely mistakes of A_DE: what they put out for a number of odd pools."""
    e, inverse, k = exp(record.eps), exp(-record.eps), record.k

    def right(odd: int) -> Real:
        return (2 * odd * e - k) / (e - 1)

    mistakes: dict[str, Callable[[int], object]] = {
        "the number of odd pools is put out, not de-biased": lambda odd: odd,
        "the estimate divides by e^eps + 1": lambda odd: (2 * odd * e - k) / (e + 1),
        "the estimate divides only k by e^eps - 1": lambda odd: 2 * odd * e - k / (e - 1),
        "the estimate leaves out the factor 2": lambda odd: (odd * e - k) / (e - 1),
        "the estimate has e^-eps in place of e^eps": lambda odd: (2 * odd * inverse - k) / (inverse - 1),
        "even pools are counted": lambda odd: right(k - odd),
        "negative estimates are set to 0": lambda odd: floored(right(odd)),
        "the estimate is clamped to 0..k": lambda odd: min(floored(right(odd)), real(k)),
    }
    nonzero = "the pools with a one are counted, not those with an odd number of them"
    counted = {nonzero: lambda run: right(sum(ones > 0 for _, ones in run.pools_up_to(k)))}
    return *wrong_analyzers_of(mistakes, lambda run: odd_pools(run, k)), *wrong_analyzers_of(counted, lambda run: run)
