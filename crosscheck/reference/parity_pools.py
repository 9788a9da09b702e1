"""Pools of shares: P_MOD and P_DE."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import islice
from math import log as float_log

from panshuffle.crosscheck.mass_tables import MassTable, bernoulli, binomial, mixture, parity_pool, point, stretched
from panshuffle.crosscheck.reference.areas import DATA, DROPOUTS, MESSAGES, NOISE, POOLS
from panshuffle.crosscheck.reference.bit_pools import DEAR, MOST_FITTED, User, crowd
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
    wrong_analyzers_of,
)
from panshuffle.crosscheck.reference.pools import PoolSetting, pool_reference
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.parameters import flip_probability
from panshuffle.exact.real import HALF, Real, exp, log, real
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.modular_sum import ModularSum

ZERO, ONE, HALF_OF = real(0), real(1), Fraction(1, 2)


@dataclass(frozen=True)
class Shares(PoolSetting):
    """Users send m shares of a bit; q = 1 - 2p' of those who do not hold the element, `held` that of those who do.

    `free` is the chance that a share which is drawn is 1.
    """

    m: int
    q: Real
    held: Real
    kind: str = "shares"
    free: Real = HALF

    def laws(self) -> Laws:
        """(messages, ones) of each pool."""
        return pool_laws([(point(self.users * self.m), self.ones(count)) for count in self.counts])

    def ones(self, count: int) -> MassTable:
        """The ones of a pool with so many holders."""
        if self.free is not HALF or self.kind in LAST:
            users, held = self.users, min(count, self.users)
            return crowd(shared_by(self.kind, self.m, self.free, self.q, self.held), users, [held])[0]
        return ones_of(self.kind, self.users, count, self.m, self.q, self.held)

    def resized(self, size: int) -> Iterator[Bug]:
        """Another m, or others who take part."""
        if self.users and size % self.users == 0 and size // self.users not in (0, self.m):
            m = size // self.users
            yield self.mutated(f"another m: each user sends {m} messages to a pool, not {self.m}", MESSAGES, m=m)
        if size % self.m == 0 and size // self.m not in (0, self.users):
            users = size // self.m
            yield self.mutated(
                f"another number of users: {users} send messages, not {self.users}", DROPOUTS, users=users
            )

    def fitted_mistakes(self, n: int) -> tuple[Fit, ...]:
        """Shares that are drawn with another chance, and another bit of those who hold the element."""
        return share_fits(self, Shares.laws)

    def diagnosis_only_mistakes(self) -> Iterator[Bug]:
        """Shares that depend on each other."""
        for kind, (name, _, _) in LAST.items() if self.m > 1 else ():
            yield self.mutated(name, DATA, kind=kind)
        if self.held.fraction == 0:
            sides = [replace(self, held=sign).laws() for sign in (ONE, -ONE)]
            laws = [mixture([(HALF_OF, a), (HALF_OF, b)]) for a, b in zip(*sides, strict=True)]
            yield fixed("all holders of an element have the same coin", POOLS, *laws)

    def knobs(self) -> tuple[Fit, ...]:
        """Another m, and others who take part."""
        m = self.knob("m", self.m, "m", 1, 2 * self.m + 2, MESSAGES, whole=True)
        return m, self.knob("number of users", self.users, "users", 1, 2 * self.users + 2, DROPOUTS, whole=True)


def drawn_in_pairs(m: int, free: Real) -> MassTable:
    """The ones of m - 1 shares of which each second one is that before it again."""
    return stretched(binomial((m - 1) // 2, free), 2).plus(binomial((m - 1) % 2, free))


def parity_of(ones: int, bit: int) -> int:
    """The last share: the sum of the bit and the others modulo 2."""
    return (ones + bit) % 2


def coins(m: int, free: Real) -> MassTable:
    """The ones of m - 1 shares that are drawn as they should be."""
    return binomial(m - 1, free)


LAST: dict[str, tuple[str, Callable[[int, Real], MassTable], Callable[[int, int], int]]] = {
    "pairs": ("the free shares come in equal pairs", drawn_in_pairs, parity_of),
    "alike": ("all free shares of a user are the same bit", lambda m, p: stretched(bernoulli(p), m - 1), parity_of),
    "or": ("the last share is the OR of the bit and the others", coins, lambda ones, bit: int(ones + bit > 0)),
    "or sum": ("the last share is the bit OR the sum", coins, lambda ones, bit: bit or ones % 2),
    "unlike": ("the last share is the inverted sum", coins, lambda ones, bit: 1 - parity_of(ones, bit)),
    "zero": ("the last share is always 0", coins, lambda ones, bit: 0),
}
"""By kind of mistake its name, the ones among the shares that are drawn, and the last share given those and the bit."""


@lru_cache(maxsize=512)
def shared_by(kind: str, m: int, free: Real, q: Real, held: Real) -> User:
    """The ones of a user who holds the element, and of one who does not, for the diagnosis only."""
    _, drawn, last = LAST.get(kind, ("", coins, parity_of))
    shares = drawn(m, free)

    def all_shares(bit: int, ones: int) -> MassTable:
        return point(ones + last(ones, bit))

    def user(sign: Real) -> MassTable:
        chance = Fraction(float((1 - sign) / 2))
        bits = [shares.compounded(partial(all_shares, bit)) for bit in (0, 1)]
        return mixture([(1 - chance, bits[0]), (chance, bits[1])])

    return user(held), user(q)


def share_fits(good: Shares, build: Callable[[Shares], Laws]) -> tuple[Fit, ...]:
    """Shares that are drawn with another chance, and another bit of those who hold the element."""
    if good.users * good.m * max(1, len(set(good.counts))) > MOST_FITTED:
        return ()

    def free(chance: Real) -> Laws:
        return build(replace(good, free=chance))

    def held(chance: Real) -> Laws:
        return build(replace(good, held=1 - 2 * chance))

    def flipped(share: Real) -> Laws:
        return build(replace(good, q=1 - 2 * share, held=2 * share - 1))

    fits = [Fit("chance that a free share is 1", HALF, LEAST, MOST, free, price=DEAR)] if good.m > 1 else []
    if good.held.fraction == 0:
        name = "chance that the bit of a user who holds the element is 1"
        fits.append(Fit(name, HALF, Fraction(0), Fraction(1), held, DATA, price=DEAR))
    else:
        words = "for about {:.0%} of the users the bit is inverted"
        fits.append(Fit(words, ZERO, Fraction(0), Fraction(1), flipped, DATA, price=DEAR))
    return tuple(fits)


@lru_cache(maxsize=512)
def ones_of(kind: str, users: int, holders: int, m: int, q: Real, held: Real) -> MassTable:
    """The ones of a pool, for shares as they should be or as they are mistaken."""
    holders = min(holders, users)
    if kind == "free":
        return binomial(users * m, HALF)
    if kind in ("plain", "copies"):
        bits = binomial(users - holders, (1 - q) / 2).plus(binomial(holders, (1 - held) / 2))
        return bits.plus(binomial(users * (m - 1), HALF)) if kind == "plain" else stretched(bits, m)
    if kind == "same" and q.fraction == 1 and held.fraction == -1:
        return binomial(m - 1, HALF).compounded(  # all users have the same first shares, so many of which are one
            lambda ones: point(users * ones + (holders if ones % 2 == 0 else users - holders))
        )
    if kind == "same":
        return stretched(parity_pool(1, min(holders, 1), m, q, held), users)
    return parity_pool(users, holders, m, q, held)


def share_bugs(good: Shares, n: int) -> Iterator[Bug]:
    """Mistakes that P_MOD and P_DE have in common."""
    for m in (good.m - 1, good.m + 1):
        if m >= 1:
            sign = "-" if m < good.m else "+"
            yield good.mutated(f"each user sends m {sign} 1 messages: off by one in m", MESSAGES, m=m)
    for m in natural(good.m):
        yield good.mutated("natural log in sigma in place of log base 2, so too few messages", MESSAGES, m=m)
    for m in (good.m // 2, 2 * good.m):
        if m >= 1 and abs(m - good.m) > 1:
            yield good.mutated("twice or half as many messages as m", MESSAGES, m=m)
    yield from good.dropout_bugs(n)
    yield from left_behind(good, n - good.users)
    yield good.mutated("the shares are free bits: their parity is not the bit", DATA, kind="free")
    yield good.mutated("the last share is the bit itself, not the bit plus the other shares", DATA, kind="plain")
    yield good.mutated("all m messages of a user are the same bit", DATA, kind="copies")
    yield good.mutated("all users have the same coins for their shares", POOLS, kind="same")


def left_behind(good: Shares, gone: int) -> Iterator[Bug]:
    """What so many users who left may still send; a hashed protocol, which has no counts, has to try all holders."""
    for words, coins, zeros in (
        ("those who left send free shares, not those of a bit", good.m, 0),
        ("those who left send all of their shares but the last", good.m - 1, 0),
        ("those who left send zeros", 0, good.m),
    ):
        if gone > 0 and good.counts:
            size, free = good.users * good.m + gone * (coins + zeros), binomial(gone * coins, HALF)
            laws = pool_laws([(point(size), good.ones(count).plus(free)) for count in good.counts])
            yield fixed(words, DROPOUTS, *laws)


def natural(m: int) -> list[int]:
    """What m becomes, about, when sigma is taken with the natural logarithm: sigma ln 2 with sigma from m - 2 to m."""
    values = {int((sigma * float_log(2)) // 1) + 2 for sigma in (m - 2, m - 1.5, m - 1.01)}
    return sorted(value for value in values if 1 <= value < m - 1)


def modular_sum(record: ModularSum, data: Sequence[int]) -> Reference:
    """P_MOD: a user's bit is sent as it is."""
    good = Shares(len(data), (sum(data),), record.m, ONE, real(-1))
    wrong_analyzers = (
        WrongAnalyzer("the parity of the zeros is put out", lambda run: run.pool(1)[0] % 2),
        WrongAnalyzer("the other parity is put out", lambda run: 1 - run.pool(1)[1] % 2),
        WrongAnalyzer("the number of ones is put out, not its parity", lambda run: run.pool(1)[1]),
        WrongAnalyzer("the majority bit is put out", lambda run: int(run.pool(1)[1] > run.pool(1)[0])),
        WrongAnalyzer("the majority bit is put out", lambda run: int(run.pool(1)[1] >= run.pool(1)[0])),
    )
    bugs, arrangement = modular_bugs(good, record.n), Arrangement(record.m, sum(data), shared=True)
    return pool_reference(
        good,
        1,
        bugs,
        lambda run: run.pool(1)[1] % 2,
        wrong_analyzers,
        arrangement=arrangement,
        rest=DATA,
        relabelled=False,
        knobs=good.knobs(),
        n=record.n,
    )


def modular_bugs(good: Shares, n: int) -> Iterator[Bug]:
    """Mistakes of P_MOD."""
    yield from share_bugs(good, n)
    yield from good.count_bugs()
    for count in (good.counts[0] - 1, good.counts[0] + 1):
        if 0 <= count <= good.users:
            yield good.mutated("one user's bit is wrong or missing", DATA, counts=(count,))
    yield good.mutated("the bits are randomized", NOISE, q=real("0.9"), held=real("-0.9"))


def distinct_elements(record: DistinctElements, data: Sequence[int]) -> Reference:
    """P_DE."""
    counts = tuple(data.count(j) for j in range(1, record.k + 1))
    good = Shares(len(data), counts, record.m, 1 - 2 * record.p_prime, ZERO)
    knobs = (bit_fit(record, lambda q: replace(good, q=q).laws()), *good.knobs())
    bugs = distinct_bugs(good, record.n, record.eps)
    labels = (j for _ in data for j in range(1, record.k + 1) for _ in range(record.m))
    arrangement = Arrangement(labels=tuple(islice(labels, MOST_PLACES)), shared=True)
    wrong_analyzers = wrong_estimates(record)
    return pool_reference(
        good, record.k, bugs, estimate_of(record), wrong_analyzers, knobs=knobs, arrangement=arrangement, n=record.n
    )


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


def distinct_bugs(good: Shares, n: int, eps: Real) -> Iterator[Bug]:
    """Mistakes of P_DE."""
    yield from share_bugs(good, n)
    for name, q in wrong_q(n, good.users, eps):
        yield good.mutated(f"wrong p': {name}", area_of(name), q=q)
    yield good.mutated("the data is left out: holders send Ber(p'), too", DATA, held=good.q)
    yield good.mutated("holders send a sure 1 in place of a fair bit", DATA, held=real(-1))
    yield good.mutated("holders send a sure 0 in place of a fair bit", DATA, held=ONE)
    yield good.mutated("holders send Ber(1 - p') in place of a fair bit", DATA, held=-good.q)
    for held in ("-1/2", "1/2"):
        yield good.mutated("holders send a biased bit in place of a fair one", DATA, held=real(held))
    yield good.mutated("holders and others are exchanged", DATA, q=ZERO, held=good.q)
    yield from good.label_bugs()


def area_of(name: str) -> str:
    """The area of a mistake in p': who takes part, where that is what it is about."""
    return DROPOUTS if "users who take part" in name else NOISE


def wrong_q(n: int, users: int, eps: Real) -> Iterator[tuple[str, Real]]:
    """q = 1 - 2p' for likely mistakes in p'."""
    right = 1 - 2 * flip_probability(n, eps)
    yield "the n-th root is missing, p' = e^-eps/2", 1 - exp(-eps)
    yield "no noise, p' = 0", ONE
    yield "p' = 1/2", ZERO
    yield "twice as large", 2 * right - 1
    yield "half as large", (1 + right) / 2
    yield "1 - p' in place of p'", -right
    yield "p' = 1/(2n)", 1 - real(1) / n
    if users != n:
        yield "the root is that of the users who take part, not of n", 1 - 2 * flip_probability(users, eps)
    for other in (n - 1, n + 1):
        if other >= 1:
            yield "the root is off by one in n", 1 - 2 * flip_probability(other, eps)
    for name, value in (("2 eps", 2 * eps), ("eps/2", eps / 2), ("2^-eps in place of e^-eps", eps * log(real(2)))):
        yield f"computed with {name}", 1 - 2 * flip_probability(n, value)
    if n > 1:
        yield "(1 - e^-eps)^n in place of the n-th root", (1 - exp(-eps)) ** n


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
        "twice the number of odd pools is put out, without the noise's share": lambda odd: 2 * odd,
        "the estimate divides by e^eps + 1": lambda odd: (2 * odd * e - k) / (e + 1),
        "the estimate divides only k by e^eps - 1": lambda odd: 2 * odd * e - k / (e - 1),
        "the estimate divides only the odd pools by e^eps - 1": lambda odd: 2 * odd * e / (e - 1) - k,
        "the estimate is that of one odd pool where there are any": lambda odd: right(min(odd, 1)),
        "the estimate leaves out the factor 2": lambda odd: (odd * e - k) / (e - 1),
        "the estimate has e^-eps in place of e^eps": lambda odd: (2 * odd * inverse - k) / (inverse - 1),
        "even pools are counted": lambda odd: right(k - odd),
        "negative estimates are set to 0": lambda odd: floored(right(odd)),
        "the estimate is clamped to 0..k": lambda odd: min(floored(right(odd)), real(k)),
        "the estimate is rounded": lambda odd: (right(odd) + HALF).floor(),
    }
    nonzero = "the pools with a one are counted, not those with an odd number of them"
    counted = {nonzero: lambda run: right(sum(ones > 0 for _, ones in run.pools_up_to(k)))}
    return *wrong_analyzers_of(mistakes, lambda run: odd_pools(run, k)), *wrong_analyzers_of(counted, lambda run: run)
