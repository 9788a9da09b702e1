"""Pools of shares: P_MOD and P_DE."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from crosscheck.reference.model import (
    DATA,
    DROPOUTS,
    LABELS,
    LEAST,
    MESSAGES,
    MOST,
    NOISE,
    Bug,
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
from crosscheck.runs import Run
from crosscheck.tables import Table, binomial, mixture, parity_pool, point
from exact.numbers.real import HALF, Real, exp, log, real
from exact.parameters import flip_probability

ZERO, ONE = real(0), real(1)


@dataclass(frozen=True)
class Shares:
    """Users of whom counts[j] hold j; q = 1 - 2p' of those who do not, `held` the same of those who do."""

    users: int
    counts: tuple[int, ...]
    m: int
    q: Real
    held: Real
    kind: str = "shares"

    def laws(self) -> Laws:
        """(messages, ones) of each pool."""
        return pool_laws([(point(self.users * self.m), self.ones(count)) for count in self.counts])

    def ones(self, count: int) -> Table:
        """The ones of a pool with so many holders."""
        return ones_of(self.kind, self.users, count, self.m, self.q, self.held)


@lru_cache(maxsize=512)
def ones_of(kind: str, users: int, holders: int, m: int, q: Real, held: Real) -> Table:
    """The ones of a pool, for shares as they should be or as they are mistaken."""
    holders = min(holders, users)
    if kind == "free":
        return binomial(users * m, HALF)
    if kind == "plain":
        plain = binomial(users - holders, (1 - q) / 2).plus(binomial(holders, (1 - held) / 2))
        return plain.plus(binomial(users * (m - 1), HALF))
    if kind == "copies":
        plain = binomial(users - holders, (1 - q) / 2).plus(binomial(holders, (1 - held) / 2))
        return stretched(plain, m)
    if kind == "same" and q.fraction == 1 and held.fraction == -1:
        first = binomial(m - 1, HALF)
        return mixture([(mass, same_shares(users, holders, s)) for s, mass in enumerate(first.masses)])
    if kind == "same":
        return stretched(parity_pool(1, min(holders, 1), m, q, held), users)
    return parity_pool(users, holders, m, q, held)


def same_shares(users: int, holders: int, ones: int) -> Table:
    """The ones of a pool where all users have the same first shares, so many of which are one."""
    return point(users * ones + (holders if ones % 2 == 0 else users - holders))


def stretched(table: Table, factor: int) -> Table:
    """The law of factor * X."""
    parts = [(mass, point((table.first + i) * factor)) for i, mass in enumerate(table.masses)]
    return mixture(parts)


def share_bugs(good: Shares, n: int) -> Iterator[tuple[str, str, Shares]]:
    """Mistakes that P_MOD and P_DE have in common."""
    for m in (good.m - 1, good.m + 1):
        if m >= 1:
            yield (
                f"each user sends m {'-' if m < good.m else '+'} 1 messages: off by one in m",
                MESSAGES,
                replace(good, m=m),
            )
    for m in natural(good.m):
        yield "natural log in sigma in place of log base 2, so too few messages", MESSAGES, replace(good, m=m)
    for m in doubled(good.m):
        yield "twice or half as many messages as m", MESSAGES, replace(good, m=m)
    if n != good.users:
        yield "the dropouts are missing: all n users send messages", DROPOUTS, replace(good, users=n)
    for users in (good.users - 1, good.users + 1):
        if users >= 1:
            yield "one user too many or too few sends messages", DROPOUTS, replace(good, users=users)
    yield "the shares are free bits: their parity is not the bit", DATA, replace(good, kind="free")
    yield "the last share is the bit itself, not the bit plus the other shares", DATA, replace(good, kind="plain")
    yield "all m messages of a user are the same bit", DATA, replace(good, kind="copies")
    yield "all users have the same coins", NOISE, replace(good, kind="same")


def natural(m: int) -> list[int]:
    """What m becomes, about, when sigma is taken with the natural logarithm: sigma ln 2 with sigma from m - 2 to m."""
    values = {int((sigma * 0.6931471805599453) // 1) + 2 for sigma in (m - 2, m - 1.5, m - 1.01)}
    return sorted(value for value in values if 1 <= value < m - 1)


def doubled(m: int) -> list[int]:
    """Twice m and half of it, where those are no near neighbours."""
    return [value for value in (m // 2, 2 * m) if value >= 1 and abs(value - m) > 1]


def bug_list(entries: Iterator[tuple[str, str, Any]]) -> tuple[Bug, ...]:
    """Bugs from (name, area, changed setting)."""
    return tuple(Bug(name, area, setting.laws) for name, area, setting in entries)


def modular_sum(record: Any, data: list[int]) -> Reference:
    """P_MOD: a user's bit is sent as it is."""
    good = Shares(len(data), (sum(data),), record.m, ONE, real(-1))
    return Reference(
        pool_names(1, ("messages", "ones")),
        tuple(good.laws()),
        sizes_and_ones(1),
        (0, 0, 0),
        bug_list(modular_bugs(good, record.n)),
        lambda run: run.pool(1)[1] % 2,
        (
            Slip("the parity of the zeros is put out", lambda run: run.pool(1)[0] % 2),
            Slip("the other parity is put out", lambda run: 1 - run.pool(1)[1] % 2),
            Slip("the number of ones is put out, not its parity", lambda run: run.pool(1)[1]),
        ),
        record.m,
        rest=DATA,
    )


def modular_bugs(good: Shares, n: int) -> Iterator[tuple[str, str, Shares]]:
    """Mistakes of P_MOD."""
    yield from share_bugs(good, n)
    yield "the bits are inverted", DATA, replace(good, counts=(good.users - good.counts[0],))
    yield "the data is left out: all bits are 0", DATA, replace(good, counts=(0,))
    for count in (good.counts[0] - 1, good.counts[0] + 1):
        if 0 <= count <= good.users:
            yield "one user's bit is wrong or missing", DATA, replace(good, counts=(count,))
    yield "the bits are randomized", NOISE, replace(good, q=real("0.9"), held=real("-0.9"))


def distinct_elements(record: Any, data: list[int]) -> Reference:
    """P_DE."""
    counts = tuple(data.count(j) for j in range(1, record.k + 1))
    good = Shares(len(data), counts, record.m, 1 - 2 * record.p_prime, ZERO)
    read = sizes_and_ones(record.k)
    return Reference(
        pool_names(record.k, ("messages", "ones")),
        tuple(good.laws()),
        read,
        (0,) * (1 + 2 * record.k),
        (*bug_list(distinct_bugs(good, record.n, record.eps)), overwritten(good.laws()), zero_based(good.laws(), True)),
        estimate_of(record),
        distinct_slips(record),
        fit=Fit("p'", record.p_prime, LEAST / 100, MOST / 2, lambda p: replace(good, q=1 - 2 * p).laws()),
    )


def estimate_of(record: Any) -> Callable[[Run], Real]:
    """What A_DE puts out, which depends on the number of odd pools only."""
    k = record.k

    @cache
    def estimate(odd: int) -> Real:
        value: Real = record.analyze_pools([(0, 1)] * odd + [(1, 0)] * (k - odd))
        return value

    return lambda run: estimate(sum(run.pool(j)[1] % 2 for j in range(1, k + 1)))


def distinct_bugs(good: Shares, n: int, eps: Real) -> Iterator[tuple[str, str, Shares]]:
    """Mistakes of P_DE."""
    yield from share_bugs(good, n)
    for name, q in wrong_q(n, good.users, eps):
        yield f"wrong p': {name}", NOISE, replace(good, q=q)
    yield "the data is left out: holders send Ber(p'), too", DATA, replace(good, held=good.q)
    yield "holders send a sure 1 in place of a fair bit", DATA, replace(good, held=real(-1))
    yield "holders send a sure 0 in place of a fair bit", DATA, replace(good, held=ONE)
    for held in ("-1/2", "1/2"):
        yield "holders send a biased bit in place of a fair one", DATA, replace(good, held=real(held))
    yield "holders and others are exchanged", DATA, replace(good, q=ZERO, held=good.q)
    for name, counts in shifted_labels(good.counts):
        yield name, LABELS, replace(good, counts=tuple(counts))


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


def distinct_slips(record: Any) -> tuple[Slip, ...]:
    """Likely mistakes of A_DE."""

    def odd(run: Run) -> int:
        return sum(run.pool(j)[1] % 2 for j in range(1, record.k + 1))

    e, k = exp(record.eps), record.k
    inverse = exp(-record.eps)
    return (
        Slip("the number of odd pools is put out, not de-biased", odd),
        Slip("twice the number of odd pools is put out, without the noise's share", lambda run: 2 * odd(run)),
        Slip("the estimate divides by e^eps + 1", lambda run: (2 * odd(run) * e - k) / (e + 1)),
        Slip("the estimate leaves out the factor 2", lambda run: (odd(run) * e - k) / (e - 1)),
        Slip("the estimate has e^-eps in place of e^eps", lambda run: (2 * odd(run) * inverse - k) / (inverse - 1)),
        Slip("even pools are counted", lambda run: (2 * (k - odd(run)) * e - k) / (e - 1)),
        Slip("negative estimates are set to 0", lambda run: floored((2 * odd(run) * e - k) / (e - 1))),
        Slip("the estimate is clamped to 0..k", lambda run: min(floored((2 * odd(run) * e - k) / (e - 1)), real(k))),
        Slip("the estimate is rounded", lambda run: (2 * odd(run) * e / (e - 1) - k / (e - 1) + HALF).floor()),
    )
