"""Protocols with public randomness: P_HDE, which hashes, and P_UT on random groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb

from crosscheck.likelihood import law_likelihood
from crosscheck.mass_tables import MassTable, binomial, mixture, point
from crosscheck.reference.model import DATA, DROPOUTS, NOISE, Arrangement, Bug, Laws, Reference, Setting
from crosscheck.reference.parity_pools import Shares, area_of, bit_fit, distinct_slips, estimate_of, share_bugs, wrong_q
from crosscheck.reference.poisson_pools import answer_of, noise_fit, noise_of, tester_slips
from crosscheck.reference.pools import ones_coordinates, pool_laws, pool_names, pool_reference, sizes_and_ones
from crosscheck.reference.public_randomness import grouped_anyhow, grouped_given, hashed_anyhow, hashed_given
from crosscheck.runs import Run
from exact.errors import InputError
from exact.numbers.real import HALF, Real, real
from protocols.compressed_uniformity import CompressedUniformity
from protocols.hashed_distinct_elements import HashedDistinctElements, least_prime

MOST_FUNCTIONS = 3_000_000  # hash functions, times elements, that are listed: a matter of seconds
FEW_FUNCTIONS = 100_000  # the same for a mistaken family, of which there are several
MOST_STATES = 20_000_000  # subsets of a domain that are told apart: a matter of seconds

MOST_KEPT_HOLDERS = 64  # holders of a pool up to which a kept hash function is looked for
MOST_NEIGHBOURS = 6  # pairs of neighbouring pools whose sum is looked at

Weights = tuple[tuple[int, Fraction], ...]
PairWeights = tuple[tuple[tuple[int, int], Fraction], ...]


@dataclass(frozen=True)
class Hashed(Setting):
    """P_DE on hashed elements: for each pool, how likely so many holders are; how likely so many pools are held."""

    shares: Shares
    weights: tuple[Weights, ...]
    occupied: Weights

    def laws(self) -> Laws:
        """(messages, ones) of each pool, and the number of odd pools."""
        size = point(self.shares.users * self.shares.m)
        pools = pool_laws([(size, mixed_ones(self.shares, weights)) for weights in self.weights])
        return [*pools, self.odd()]

    def odd(self) -> MassTable:
        """The number of odd pools, which are independent given how many are held."""
        held, empty = odd_chance(self.shares, 1), odd_chance(self.shares, 0)
        pools = len(self.weights)
        return mixture([(w, binomial(d, held).plus(binomial(pools - d, empty))) for d, w in self.occupied])

    def with_q(self, q: Real) -> Hashed:
        """The same with another noise bit."""
        return replace(self, shares=replace(self.shares, q=q))

    def hashed_wrongly(self, name: str, weights: tuple[Weights, ...], occupied: Weights) -> Bug:
        """The mistake of another hash function."""
        return self.but(name, DATA, weights=weights, occupied=occupied)

    def hashed_surely(self, name: str, holders: Sequence[int]) -> Bug:
        """The mistake of a fixed hash function, by which so many users hold the values."""
        weights = tuple(((count, Fraction(1)),) for count in holders)
        return self.hashed_wrongly(name, weights, ((sum(count > 0 for count in holders), Fraction(1)),))


def odd_chance(shares: Shares, holders: int) -> Real:
    """The chance that a pool is odd: its shares add up to the users' bits, or are free."""
    if shares.kind == "free":
        return HALF
    return (1 - shares.q ** (shares.users - holders) * (shares.held if holders else 1)) / 2


@lru_cache(maxsize=1024)
def mixed_ones(shares: Shares, weights: Weights) -> MassTable:
    """The ones of a pool with a random number of holders."""
    return mixture([(share, shares.ones(holders)) for holders, share in weights])


def hashed_distinct_elements(record: HashedDistinctElements, data: Sequence[int]) -> Reference:
    """P_HDE for the family of hash functions of this project: h(x) = ((a(x-1) + b) mod q) mod k' + 1."""
    inner = record.protocol
    shares = Shares(len(data), (), inner.m, 1 - 2 * inner.p_prime, real(0))
    good = Hashed(shares, *holder_weights(record.k, inner.k, tuple(data)))
    few = least_prime(record.k) ** 2 * len(set(data)) <= FEW_FUNCTIONS
    read, pairs = sizes_and_ones(inner.k), neighbours(inner.k) if few else []
    sums = [pair_sum(shares, pair_weights(record.k, inner.k, tuple(data), pair)) for pair in pairs]
    last = 2 * inner.k + 1
    own = Reference(
        (*pool_names(inner.k), "odd pools", *map(together, pairs)),
        (*good.laws(), *sums),
        lambda run: (*(found := read(run)), sum(ones % 2 for ones in found[2::2]), *sums_of(found, pairs)),
        tuple(hashed_bugs(good, record, tuple(data), inner.k)),
        estimate_of(inner),
        distinct_slips(inner),
        Arrangement(),
        knobs=(bit_fit(inner, lambda q: good.with_q(q).laws()),),
        rest=DATA,
        dependent=ones_coordinates(inner.k) | frozenset(range(last, last + 1 + len(pairs))),
        sums=frozenset(range(last + 1, last + 1 + len(pairs))),
        suspects=lambda counts: kept_hash(good, counts),
    )
    anyhow = hashed_anyhow(own, shares, record.n, inner.k)

    def fitted(p: Real) -> Shares:
        return replace(shares, q=1 - 2 * p)

    return replace(own, anyhow=anyhow, conditioned=hashed_given(own, shares, record.n, inner.k, fitted, inner.p_prime))


def kept_hash(good: Hashed, counts: Sequence[Counter[int]]) -> Iterator[Bug]:
    """The mistake of one hash function for all runs: for each pool the holders under which its ones are most likely."""
    users = good.shares.users
    laws = [good.shares.ones(holders) for holders in range(min(users, MOST_KEPT_HOLDERS) + 1)]
    seen = [counts[2 * j] for j in range(1, len(good.weights) + 1)]
    best = [max(range(len(laws)), key=lambda c: law_likelihood(counter, laws[c])) for counter in seen]
    yield replace(
        good.hashed_surely("the hash function is drawn once and kept for all runs", best), price=float(len(best))
    )


def neighbours(pools: int) -> list[tuple[int, int]]:
    """Pairs of pools whose sum is looked at: the first ones with their neighbours, and the first with the last."""
    pairs = [(j, j + 1) for j in range(1, min(pools, MOST_NEIGHBOURS + 1))]
    return [*pairs, (1, pools)] if pools > 2 else pairs


def together(pair: tuple[int, int]) -> str:
    """The name of the sum of two pools."""
    return f"pools {pair[0]} and {pair[1]} together: ones"


def sums_of(found: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The ones of pairs of pools, from the coordinates of all pools."""
    return [found[2 * a] + found[2 * b] for a, b in pairs]


def pair_sum(shares: Shares, weights: PairWeights) -> MassTable:
    """The ones of two pools that have their numbers of holders together."""
    return mixture([(w, shares.ones(a).plus(shares.ones(b))) for (a, b), w in weights])


@lru_cache(maxsize=64)
def pair_weights(k: int, pools: int, data: tuple[int, ...], pair: tuple[int, int]) -> PairWeights:
    """How likely it is, over all hash functions, that so many users hold the first and the second of two values."""
    q, held = least_prime(k), Counter(data)
    seen: Counter[tuple[int, int]] = Counter()
    for a in range(1, q):
        images = [(a * (x - 1) % q, count) for x, count in held.items()]
        for b in range(q):
            values = [((y + b) % q % pools + 1, count) for y, count in images]
            first, second = (sum(count for y, count in values if y == j) for j in pair)
            seen[first, second] += 1
    return tuple((counts, Fraction(times, q * (q - 1))) for counts, times in sorted(seen.items()))


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


def hashed_bugs(good: Hashed, record: HashedDistinctElements, data: tuple[int, ...], pools: int) -> Iterator[Bug]:
    """Mistakes of P_HDE."""
    n, users = record.n, len(data)
    for bug in share_bugs(good.shares, n):
        yield good.but(bug.name, bug.area, shares=bug.setting)
    for name, q in wrong_q(n, users, record.eps):
        yield Bug(f"wrong p': {name}", area_of(name), good.with_q(q).laws)
    sure = replace(good.shares, held=real(-1))
    yield good.but("holders send a sure 1 in place of a fair bit", DATA, shares=sure)
    for words, before in (("(x - 1) mod k' + 1", 1), ("x mod k' + 1", 0)):
        residues = [sum((x - before) % pools == j for x in data) for j in range(pools)]
        yield good.hashed_surely(f"no hash: the element modulo k', {words}", residues)
    yield good.hashed_surely("the data is left out: nobody holds a hashed value", [0] * pools)
    yield good.hashed_surely("everything is hashed to the first value", [users] + [0] * (pools - 1))
    prime = least_prime(record.k)
    if prime * prime * len(set(data)) <= FEW_FUNCTIONS:
        whole, few = range(prime), range(1, prime)
        for name, given in (
            ("a = 0 is allowed in the hash function", (whole, whole, prime)),
            ("b is missing in the hash function", (few, range(1), prime)),
            ("the hash function is not taken modulo the prime first", (few, whole, pools)),
        ):
            yield good.hashed_wrongly(name, *weights_over(*given, pools, data))
    share = Fraction(1, pools)
    everything: Weights = ((0, 1 - share), (users, share))
    yield good.hashed_wrongly("everything is hashed to one value", (everything,) * pools, ((1, Fraction(1)),))
    chances = [sum(y % pools == j for y in range(prime)) * Fraction(1, prime) for j in range(pools)]
    spread = tuple(tuple(binomial_weights(users, p)) for p in chances)
    name = "each user has another hash function: equal elements are not hashed equally"
    yield good.hashed_wrongly(name, spread, occupied_by(users, chances))


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
class Grouped(Setting):
    """P_UT on random groups: the law of the number of users in a group, and the noise."""

    users: int
    landed: tuple[MassTable, ...]
    mean: Real
    kind: str = "poisson"

    def laws(self) -> Laws:
        """(messages, ones) of each group."""
        size = noise_of(self.kind, self.users, self.mean, real(1)).moved(self.users)
        half = noise_of(self.kind, self.users, self.mean, HALF)
        ones = {id(table): table.plus(half) for table in self.landed}
        return pool_laws([(size, ones[id(table)]) for table in self.landed])


def compressed_uniformity(record: CompressedUniformity, data: Sequence[int]) -> Reference:
    """P_UT after domain compression."""
    inner, groups = record.protocol, record.k_hat
    landed = landed_in_group(record.k, groups, tuple(data))
    good = Grouped(len(data), (landed,) * groups, inner.noise_mean)
    fit = noise_fit(record.n, record.lam, lambda mean: replace(good, mean=mean).laws())
    bugs, common = grouped_bugs(good, record, tuple(data)), ones_coordinates(groups)
    whole = pool_reference(
        good,
        groups,
        bugs,
        answer_of(inner),
        tester_slips(inner),
        knobs=(fit,),
        rest=DATA,
        dependent=common,
        relabelled=False,
    )
    own = with_group_sums(whole, good, record.k, tuple(data))
    given = grouped_given(own, len(data), inner.noise_mean, groups, fit)
    return replace(own, anyhow=grouped_anyhow(own, len(data), inner.noise_mean, groups), conditioned=given)


def with_group_sums(reference: Reference, good: Grouped, k: int, data: tuple[int, ...]) -> Reference:
    """The reference with the ones of two groups together, which are those of a group of twice the size, and of all."""
    groups, first = len(good.landed), len(reference.laws)
    if groups < 2:
        return reference
    pairs = neighbours(groups) if groups > 2 else []
    noise = [noise_of(good.kind, good.users, good.mean * parts, HALF) for parts in (2, groups)]
    two = landed_in_group(k, groups, data, together=2).plus(noise[0]) if pairs else point(0)
    sums = frozenset(range(first, first + len(pairs) + 1))
    names = (*reference.names, *map(together, pairs), "all groups together: ones")
    laws = (*reference.laws, *(two for _ in pairs), noise[1].moved(good.users))

    def read(run: Run) -> tuple[int, ...]:
        found = reference.read(run)
        return *found, *sums_of(found, pairs), sum(found[2::2])

    dependent = reference.dependent | sums
    return replace(reference, names=names, laws=laws, read=read, dependent=dependent, sums=sums, rows=None)


@lru_cache(maxsize=8)
def landed_in_group(k: int, groups: int, data: tuple[int, ...], padding: bool = True, together: int = 1) -> MassTable:
    """The law of the number of users whose element is in one of some groups: a random subset of the padded domain.

    Of the subsets of K/k_hat elements, a subset with b padding elements that c users' samples lie in has
    Bin(c, (k + b)/K) + Bin(users - c, b/K) users; without `padding`, the mistake that no element is replaced, c.
    """
    size = -(-k // groups)
    padded, held = size * groups, Counter(data)
    size *= together
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
    return mixture(
        [
            (Fraction(ways, total), landed_by(users, len(data), k, b, padded) if padding else point(users))
            for (users, b), ways in parts.items()
        ]
    )


def grouped_bugs(good: Grouped, record: CompressedUniformity, data: tuple[int, ...]) -> Iterator[Bug]:
    """Mistakes of the compressed tester."""
    n, lam, k, groups = record.n, record.lam, record.k, record.k_hat
    yield good.but("lam is not divided by n: each user adds Pois(lam)", NOISE, mean=lam)
    if n != good.users:
        yield good.but("lam is divided by the users who take part, not by n", DROPOUTS, mean=lam / good.users)
        yield good.but("the dropouts are missing: all n users send messages", DROPOUTS, users=n)
    yield good.but("twice as much noise", NOISE, mean=2 * good.mean)
    yield good.but("half as much noise", NOISE, mean=HALF * good.mean)
    yield good.but("no noise bits", NOISE, kind="none")
    yield good.but("Bernoulli in place of Poisson noise", NOISE, kind="bernoulli")
    yield good.but("a fixed number of noise bits in place of a Poisson number", NOISE, kind="constant")
    size, held = -(-k // groups), Counter(data)
    for name, members in (
        ("consecutive elements share a group", [range(size * g, size * (g + 1)) for g in range(groups)]),
        ("the element modulo k_hat", [range(g, size * groups, groups) for g in range(groups)]),
    ):
        landed = tuple(fixed_group(held, k, size * groups, part) for part in members)
        yield good.but(f"the partition is not random: {name}", DATA, landed=landed)
    yield good.but("the data is left out", DATA, landed=tuple(point(0) for _ in range(groups)))
    if size * groups > k:
        kept = landed_in_group(k, groups, data, padding=False)
        yield good.but("nobody's element is replaced by padding", DATA, landed=(kept,) * groups)
    share, free = Fraction(1, groups), point(0)
    for count in held.values():
        free = free.plus(mixture([(1 - share, point(0)), (share, point(count))]))
    unequal = "each element picks a group on its own: groups of unequal size"
    yield good.but(unequal, DATA, landed=(free,) * groups)
    each = binomial(len(data), real(share))
    yield good.but("each user has another partition", DATA, landed=(each,) * groups)


def fixed_group(held: Counter[int], k: int, padded: int, members: Sequence[int]) -> MassTable:
    """The users in a group of known elements, counted from 0, some of which may be padding."""
    users = sum(held[x + 1] for x in members if x < k)
    return landed_by(users, held.total(), k, sum(x >= k for x in members), padded)


def landed_by(inside: int, users: int, k: int, padding: int, padded: int) -> MassTable:
    """The users in a group with so many elements of padding that so many users' samples lie in."""
    stay, come = real(Fraction(k + padding, padded)), real(Fraction(padding, padded))
    return binomial(inside, stay).plus(binomial(users - inside, come))
