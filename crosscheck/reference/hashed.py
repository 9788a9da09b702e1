"""P_HDE, the protocol that hashes elements, and sums of neighbouring pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import comb

from panshuffle.crosscheck.mass_tables import MassTable, binomial, mixture, point
from panshuffle.crosscheck.reference.areas import DATA
from panshuffle.crosscheck.reference.model import (
    MOST_PLACES,
    Arrangement,
    Bug,
    Laws,
    Reference,
    Setting,
    WrongAnalyzer,
    pool_laws,
)
from panshuffle.crosscheck.reference.parity_pools import (
    Shares,
    bit_fit,
    estimate_of,
    share_bugs,
    wrong_estimates,
)
from panshuffle.crosscheck.reference.pools import ones_coordinates, pool_names, sizes_and_ones
from panshuffle.crosscheck.reference.public_randomness import (
    Weights,
    hashed_given,
    hashed_hash_agnostic,
)
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, exp, real
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements, least_prime

MOST_FUNCTIONS = 3_000_000  # hash functions, times elements, that are listed: a matter of seconds
FEW_FUNCTIONS = 100_000  # the same for a mistaken family, of which there are several
MOST_STATES = 20_000_000  # subsets of a domain that are told apart: a matter of seconds

MOST_NEIGHBOURS = 6  # pairs of neighbouring pools whose sum is looked at

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
        held, empty, pools = odd_chance(self.shares, 1), odd_chance(self.shares, 0), len(self.weights)
        return mixture([(w, binomial(d, held).plus(binomial(pools - d, empty))) for d, w in self.occupied])

    def hashed_wrongly(self, name: str, weights: tuple[Weights, ...], occupied: Weights) -> Bug:
        """The mistake of another hash function."""
        return self.mutated(name, DATA, weights=weights, occupied=occupied)


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
    labels = (j for _ in data for j in range(1, inner.k + 1) for _ in range(inner.m))
    own = Reference(
        (*pool_names(inner.k), "odd pools", *map(together, pairs)),
        (*good.laws(), *sums),
        lambda run: (*(found := read(run)), sum(ones % 2 for ones in found[2::2]), *sums_of(found, pairs)),
        tuple(hashed_bugs(good, record, tuple(data), inner.k)),
        estimate_of(inner),
        (*wrong_estimates(inner), wrong_universe(record)),
        Arrangement(labels=tuple(islice(labels, MOST_PLACES)), shared=True),
        knobs=(bit_fit(inner, lambda q: replace(good, shares=replace(shares, q=q)).laws()),),
        rest=DATA,
        dependent=ones_coordinates(inner.k) | frozenset(range(last, last + 1 + len(pairs))),
        sums=frozenset(range(last + 1, last + 1 + len(pairs))),
    )
    return replace(
        own,
        hash_agnostic=hashed_hash_agnostic(own, shares, record.n, inner.k),
        conditioned=hashed_given(own, shares, record.n, inner.k, inner.p_prime),
    )


def wrong_universe(record: HashedDistinctElements) -> WrongAnalyzer:
    """The estimate that takes all elements for the hash values."""
    e, pools = exp(record.eps), record.protocol.k
    return WrongAnalyzer(
        "k is subtracted in the estimate, not the number of hash values",
        lambda run: (2 * sum(ones % 2 for _, ones in run.pools_up_to(pools)) * e - record.k) / (e - 1),
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
    q = least_prime(k)
    seen: Counter[tuple[int, int]] = Counter()
    for counts in hashed(range(1, q), range(q), q, pools, data):
        seen[counts[pair[0] - 1], counts[pair[1] - 1]] += 1
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
    seen: list[Counter[int]] = [Counter() for _ in range(pools)]
    occupied: Counter[int] = Counter()
    for counts in hashed(slopes, offsets, modulus, pools, data):
        occupied[len(counts)] += 1
        for pool, count in counts.items():
            seen[pool][count] += 1
    total = len(slopes) * len(offsets)
    return tuple(weights_of(counter, total) for counter in seen), weights_of(occupied, total)


def hashed(slopes: range, offsets: range, modulus: int, pools: int, data: tuple[int, ...]) -> Iterator[Counter[int]]:
    """How many users hold each value, from 0, under each of these functions."""
    held = Counter(data)
    for a in slopes:
        images = [(a * (x - 1) % modulus, count) for x, count in held.items()]
        for b in offsets:
            counts = Counter[int]()
            for y, count in images:
                counts[(y + b) % modulus % pools] += count
            yield counts


def weights_of(counter: Counter[int], total: int) -> Weights:
    """The counts as probabilities; what is missing has no holder."""
    nobody = total - counter.total()
    pairs = [*((count, times) for count, times in counter.items()), *([(0, nobody)] if nobody else [])]
    return tuple((count, Fraction(times, total)) for count, times in sorted(pairs))


def hashed_bugs(good: Hashed, record: HashedDistinctElements, data: tuple[int, ...], pools: int) -> Iterator[Bug]:
    """Mistakes of P_HDE."""
    n, users = record.n, len(data)
    for bug in share_bugs(good.shares, n):
        yield good.mutated(bug.name, bug.area, shares=bug.setting)
    for words, holders in (
        ("no hash: the element modulo k'", [sum((x - 1) % pools == j for x in data) for j in range(pools)]),
        ("the data is left out: nobody holds a hashed value", [0] * pools),
    ):
        weights = tuple(((count, Fraction(1)),) for count in holders)
        yield good.hashed_wrongly(words, weights, ((sum(count > 0 for count in holders), Fraction(1)),))
    prime = least_prime(record.k)
    if prime * prime * len(set(data)) <= FEW_FUNCTIONS:
        whole, few = range(prime), range(1, prime)
        for name, given in (
            ("b is missing in the hash function", (few, range(1), prime)),
            ("the factor a of the hash function is always 1", (range(1, 2), whole, prime)),
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
