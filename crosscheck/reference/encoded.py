"""Protocols with public randomness: P_HDE, which hashes, and P_UT on random groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from crosscheck.reference.model import (
    DATA,
    LEAST,
    MOST,
    NOISE,
    Fit,
    Laws,
    Reference,
    pool_laws,
    pool_names,
    sizes_and_ones,
)
from crosscheck.reference.parity_pools import (
    Shares,
    bug_list,
    distinct_slips,
    estimate_of,
    ones_of,
    share_bugs,
    wrong_q,
)
from crosscheck.reference.poisson_pools import noise_fit, noise_of, tester_slips
from crosscheck.tables import Table, binomial, mixture, point
from exact.errors import InputError
from exact.numbers.real import Real, real
from protocols.hashed_distinct_elements import least_prime

MOST_FUNCTIONS = 3_000_000
FEW_FUNCTIONS = 100_000
MOST_STATES = 20_000_000

Weights = tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class Hashed:
    """P_DE on hashed elements: for each pool, how likely so many holders are; how likely so many pools are held."""

    shares: Shares
    weights: tuple[Weights, ...]
    occupied: Weights

    def laws(self) -> Laws:
        """(messages, ones) of each pool."""
        size = point(self.shares.users * self.shares.m)
        pools = pool_laws([(size, mixed_ones(self.shares, weights)) for weights in self.weights])
        return [*pools, self.odd()]

    def odd(self) -> Table:
        """The number of odd pools, which are independent given how many are held."""
        shares, pools = self.shares, len(self.weights)
        held, empty = odd_chance(shares, 1), odd_chance(shares, 0)
        return mixture([(w, binomial(d, held).plus(binomial(pools - d, empty))) for d, w in self.occupied])


def odd_chance(shares: Shares, holders: int) -> Real:
    """The chance that a pool is odd: its shares add up to the users' bits, or are free."""
    if shares.kind == "free":
        return real("1/2")
    return (1 - shares.q ** (shares.users - holders) * (shares.held if holders else 1)) / 2


@lru_cache(maxsize=1024)
def mixed_ones(shares: Shares, weights: Weights) -> Table:
    """The ones of a pool with a random number of holders."""
    kind, users, m, q, held = shares.kind, shares.users, shares.m, shares.q, shares.held
    return mixture([(share, ones_of(kind, users, holders, m, q, held)) for holders, share in weights])


def hashed_distinct_elements(record: Any, data: Sequence[int]) -> Reference:
    """P_HDE for the family of hash functions of this project: h(x) = ((a(x-1) + b) mod q) mod k' + 1."""
    inner = record.protocol
    good = Hashed(
        Shares(len(data), (), inner.m, 1 - 2 * inner.p_prime, real(0)), *holder_weights(record.k, inner.k, tuple(data))
    )
    laws = tuple(good.laws())
    groups = (*(None if i and i % 2 == 0 else 0 for i in range(len(laws) - 1)), None)
    read = sizes_and_ones(inner.k)
    return Reference(
        (*pool_names(inner.k, ("messages", "ones")), "odd pools"),
        laws,
        lambda run: (*(found := read(run)), sum(ones % 2 for ones in found[2::2])),
        groups,
        bug_list(hashed_bugs(good, record.n, record.eps, tuple(data), inner.k, least_prime(record.k))),
        estimate_of(inner),
        distinct_slips(inner),
        fit=Fit("p'", inner.p_prime, LEAST / 100, MOST / 2, lambda p: with_q(good, 1 - 2 * p).laws()),
        rest=DATA,
    )


def with_q(good: Hashed, q: Real) -> Hashed:
    """The same with another noise bit."""
    return replace(good, shares=replace(good.shares, q=q))


@lru_cache(maxsize=8)
def holder_weights(k: int, pools: int, data: tuple[int, ...]) -> tuple[tuple[Weights, ...], Weights]:
    """How likely so many holders of each pool, and so many held pools, are, over all hash functions.

    *Raises* `InputError` for too many functions.
    """
    q = least_prime(k)
    if q * q * len(set(data)) > MOST_FUNCTIONS:
        raise InputError(f"k = {k} is not allowed: the hash functions are listed, which takes k up to about 1000")
    return weights_over(range(1, q), range(q), q, pools, data)


def weights_over(
    slopes: range, offsets: range, modulus: int, pools: int, data: tuple[int, ...]
) -> tuple[tuple[Weights, ...], Weights]:
    """The same over the functions ((a(x-1) + b) mod modulus) mod k' with a among the slopes and b among the offsets."""
    held = Counter(data)
    seen: list[Counter[int]] = [Counter() for _ in range(pools)]
    occupied: Counter[int] = Counter()
    for a in slopes:
        images = [(a * (x - 1) % modulus, count) for x, count in held.items()]
        for b in offsets:
            counts: Counter[int] = Counter()
            for y, count in images:
                counts[(y + b) % modulus % pools] += count
            occupied[len(counts)] += 1
            for pool, count in counts.items():
                seen[pool][count] += 1
    total = len(slopes) * len(offsets)
    return tuple(weights_of(counter, total) for counter in seen), weights_of(occupied, total)


def weights_of(counter: Counter[int], total: int) -> Weights:
    """The counts as probabilities; what is missing has no holder."""
    nobody = total - counter.total()
    pairs = [*((count, times) for count, times in counter.items()), *([(0, nobody)] if nobody else [])]
    return tuple((count, Fraction(times, total)) for count, times in sorted(pairs))


def hashed_bugs(
    good: Hashed, n: int, eps: Real, data: tuple[int, ...], pools: int, prime: int
) -> Iterator[tuple[str, str, Hashed]]:
    """Mistakes of P_HDE."""
    for name, area, shares in share_bugs(good.shares, n):
        yield name, area, replace(good, shares=shares)
    for name, q in wrong_q(n, good.shares.users, eps):
        yield f"wrong p': {name}", NOISE, with_q(good, q)
    yield (
        "holders send a sure 1 in place of a fair bit",
        DATA,
        replace(good, shares=replace(good.shares, held=real(-1))),
    )
    users, one, share = len(data), Fraction(1), Fraction(1, pools)

    def fixed(holders: Sequence[int]) -> Hashed:
        weights = tuple(((count, one),) for count in holders)
        return replace(good, weights=weights, occupied=((sum(count > 0 for count in holders), one),))

    residues = [sum((x - 1) % pools == j for x in data) for j in range(pools)]
    yield "no hash: the element modulo k'", DATA, fixed(residues)
    yield "the data is left out: nobody holds a hashed value", DATA, fixed([0] * pools)
    yield "everything is hashed to the first value", DATA, fixed([users] + [0] * (pools - 1))
    if prime * prime * len(set(data)) <= FEW_FUNCTIONS:
        whole, few = range(prime), range(1, prime)
        for name, given in (
            ("a = 0 is allowed in the hash function", (whole, whole, prime)),
            ("b is missing in the hash function", (few, range(1), prime)),
            ("the hash function is not taken modulo the prime first", (few, whole, pools)),
        ):
            weights, occupied = weights_over(*given, pools, data)
            yield name, DATA, replace(good, weights=weights, occupied=occupied)
    everything = tuple(((0, 1 - share), (users, share)) for _ in range(pools))
    yield "everything is hashed to one value", DATA, replace(good, weights=everything, occupied=((1, one),))
    chances = [sum(y % pools == j for y in range(prime)) * Fraction(1, prime) for j in range(pools)]
    spread = tuple(tuple(binomial_weights(users, p)) for p in chances)
    yield (
        "each user has another hash function: equal elements are not hashed equally",
        DATA,
        replace(good, weights=spread, occupied=occupied_by(users, chances)),
    )


def binomial_weights(users: int, p: Fraction) -> Iterator[tuple[int, Fraction]]:
    """Bin(users, p)."""
    for count in range(users + 1):
        yield count, comb(users, count) * p**count * (1 - p) ** (users - count)


def occupied_by(users: int, chances: Sequence[Fraction]) -> Weights:
    """How likely it is that so many pools are held by users who choose them independently, with these chances."""
    law, left = {(users, 0): Fraction(1)}, Fraction(1)
    for p in chances:
        following: dict[tuple[int, int], Fraction] = {}
        for (free, held), mass in law.items():
            for count, weight in binomial_weights(free, min(Fraction(1), p / left) if left else Fraction(1)):
                key = free - count, held + (count > 0)
                following[key] = following.get(key, Fraction(0)) + mass * weight
        law, left = following, left - p
    totals: dict[int, Fraction] = {}
    for (_, held), mass in law.items():
        totals[held] = totals.get(held, Fraction(0)) + mass
    return tuple(sorted((held, mass) for held, mass in totals.items() if mass))


@dataclass(frozen=True)
class Grouped:
    """P_UT on random groups: the law of the number of users in a group, and the noise."""

    users: int
    landed: tuple[Table, ...]
    mean: Real
    kind: str = "poisson"

    def laws(self) -> Laws:
        """(messages, ones) of each group."""
        size = noise_of(self.kind, self.users, self.mean, real(1)).moved(self.users)
        half = noise_of(self.kind, self.users, self.mean, real("1/2"))
        ones = {id(table): table.plus(half) for table in self.landed}
        return pool_laws([(size, ones[id(table)]) for table in self.landed])


def compressed_uniformity(record: Any, data: Sequence[int]) -> Reference:
    """P_UT after domain compression."""
    inner, groups = record.protocol, record.k_hat
    landed = landed_in_group(record.k, groups, tuple(data))
    good = Grouped(len(data), (landed,) * groups, inner.noise_mean)
    laws = tuple(good.laws())
    return Reference(
        pool_names(groups, ("messages", "ones")),
        laws,
        sizes_and_ones(groups),
        tuple(None if i and i % 2 == 0 else 0 for i in range(len(laws))),
        bug_list(grouped_bugs(good, record, tuple(data))),
        lambda run: inner.analyze_pools([run.pool(j) for j in range(1, groups + 1)]),
        tester_slips(inner),
        fit=noise_fit(good, record.n, record.lam),
        rest=DATA,
    )


@lru_cache(maxsize=8)
def landed_in_group(k: int, groups: int, data: tuple[int, ...], padding: bool = True) -> Table:
    """The law of the number of users whose element is in one group: a random subset of the padded domain.

    Of the subsets of K/k_hat elements, a subset with b padding elements that c users' samples lie in has
    Bin(c, (k + b)/K) + Bin(users - c, b/K) users; without `padding`, the mistake that no element is replaced, c.
    """
    size = -(-k // groups)
    padded, held = size * groups, Counter(data)
    if size * len(data) * len(held) > MOST_STATES:
        raise InputError("the groups of this domain are too many to be listed: use a smaller k or fewer users")
    subsets: dict[tuple[int, int], int] = {(0, 0): 1}
    for count in held.values():
        for (chosen, users), ways in list(subsets.items()):
            if chosen < size:
                subsets[chosen + 1, users + count] = subsets.get((chosen + 1, users + count), 0) + ways
    parts: dict[tuple[int, int], int] = {}
    empty = k - len(held)
    for (chosen, users), ways in subsets.items():
        for b in range(min(padded - k, size - chosen) + 1):
            rest = comb(empty, size - chosen - b)
            if rest:
                parts[users, b] = parts.get((users, b), 0) + ways * rest * comb(padded - k, b)
    total = comb(padded, size)
    n = len(data)

    def table(users: int, b: int) -> Table:
        if not padding:
            return point(users)
        inside, outside = real(Fraction(k + b, padded)), real(Fraction(b, padded))
        return binomial(users, inside).plus(binomial(n - users, outside))

    return mixture([(Fraction(ways, total), table(*key)) for key, ways in parts.items()])


def grouped_bugs(good: Grouped, record: Any, data: tuple[int, ...]) -> Iterator[tuple[str, str, Grouped]]:
    """Mistakes of the compressed tester."""
    n, lam, k, groups = record.n, record.lam, record.k, record.k_hat
    yield "lam is not divided by n: each user adds Pois(lam)", NOISE, replace(good, mean=lam)
    if n != good.users:
        yield "lam is divided by the users who take part, not by n", NOISE, replace(good, mean=lam / good.users)
        yield "the dropouts are missing: all n users send messages", NOISE, replace(good, users=n)
    for factor, name in ((2, "twice"), (real("1/2"), "half")):
        yield f"{name} as much noise", NOISE, replace(good, mean=factor * good.mean)
    yield "no noise bits", NOISE, replace(good, kind="none")
    yield "Bernoulli in place of Poisson noise", NOISE, replace(good, kind="bernoulli")
    yield "a fixed number of noise bits in place of a Poisson number", NOISE, replace(good, kind="constant")
    size, held = -(-k // groups), Counter(data)

    def fixed(group: Callable[[int], int]) -> tuple[Table, ...]:
        members = [[x for x in range(size * groups) if group(x) == g] for g in range(groups)]
        return tuple(fixed_group(held, k, size * groups, part) for part in members)

    yield (
        "the partition is not random: consecutive elements share a group",
        DATA,
        replace(good, landed=fixed(lambda x: x // size)),
    )
    yield (
        "the partition is not random: the element modulo k_hat",
        DATA,
        replace(good, landed=fixed(lambda x: x % groups)),
    )
    yield "the data is left out", DATA, replace(good, landed=points([0] * groups))
    if size * groups > k:
        kept = landed_in_group(k, groups, data, padding=False)
        yield "nobody's element is replaced by padding", DATA, replace(good, landed=(kept,) * groups)
    share = real(1) / groups
    free = point(0)
    for count in held.values():
        free = free.plus(mixture([(1 - Fraction(1, groups), point(0)), (Fraction(1, groups), point(count))]))
    yield "each element picks a group on its own: groups of unequal size", DATA, replace(good, landed=(free,) * groups)
    each = binomial(len(data), share)
    yield "each user has another partition", DATA, replace(good, landed=(each,) * groups)


def fixed_group(held: Counter[int], k: int, padded: int, members: Sequence[int]) -> Table:
    """The users in a group of known elements, counted from 0, some of which may be padding."""
    users = sum(held[x + 1] for x in members if x < k)
    b = sum(x >= k for x in members)
    inside, outside = real(Fraction(k + b, padded)), real(Fraction(b, padded))
    return binomial(users, inside).plus(binomial(held.total() - users, outside))


def points(values: Sequence[int]) -> tuple[Table, ...]:
    """Fixed numbers of users in each group."""
    return tuple(point(value) for value in values)
