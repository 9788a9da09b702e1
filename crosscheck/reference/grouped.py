"""P_UT on random groups of elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from operator import neg

from panshuffle.crosscheck.mass_tables import MassTable, binomial, image, mixture, point
from panshuffle.crosscheck.reference.areas import DATA, DROPOUTS, NOISE
from panshuffle.crosscheck.reference.hashed import neighbours, sums_of, together
from panshuffle.crosscheck.reference.model import Bug, Laws, Reference, Setting, WrongAnalyzer, pool_laws
from panshuffle.crosscheck.reference.poisson_pools import answer_of, decision, noise_fit, noise_of, wrong_testers
from panshuffle.crosscheck.reference.pools import ones_coordinates, pool_reference
from panshuffle.crosscheck.reference.public_randomness import (
    grouped_given,
    grouped_hash_agnostic,
)
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, real
from panshuffle.protocols.compressed_uniformity import CompressedUniformity

MOST_STATES = 20_000_000  # subsets of a domain that are told apart: a matter of seconds


@dataclass(frozen=True)
class Grouped(Setting):
    """P_UT on random groups: the law of the number of users in a group, and the noise."""

    users: int
    landed: tuple[MassTable, ...]
    mean: Real
    kind: str = "poisson"

    def size(self) -> MassTable:
        """The messages of a group."""
        return noise_of(self.kind, self.users, self.mean, real(1)).moved(self.users)

    def laws(self) -> Laws:
        """(messages, ones) of each group."""
        half = noise_of(self.kind, self.users, self.mean, HALF)
        ones = {id(table): table.plus(half) for table in self.landed}
        return pool_laws([(self.size(), ones[id(table)]) for table in self.landed])


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
        (*wrong_testers(inner), *wrong_universes(record)),
        knobs=(fit,),
        rest=DATA,
        dependent=common,
        relabelled=False,
    )
    own = with_group_sums(whole, good, record.k, tuple(data))
    given = grouped_given(own, len(data), inner.noise_mean, groups, fit)
    return replace(
        own, hash_agnostic=grouped_hash_agnostic(own, len(data), inner.noise_mean, groups), conditioned=given
    )


def wrong_universes(record: CompressedUniformity) -> Iterator[WrongAnalyzer]:
    """The tester that takes all elements for the groups."""
    inner, centre, scale = record.protocol, record.m / record.k, record.k / record.m
    yield WrongAnalyzer(
        "k is the number of all elements in the statistic, not that of the groups",
        lambda run: decision(inner, run.pools_up_to(inner.k), centre=centre, scale=scale),
    )


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
    n, k, groups = record.n, record.k, record.k_hat
    if n != good.users:
        yield good.mutated("all n users send messages", DROPOUTS, users=n)
    yield good.mutated("Bernoulli in place of Poisson noise", NOISE, kind="bernoulli")
    yield good.mutated("a fixed number of noise bits in place of a Poisson number", NOISE, kind="constant")
    size, held = -(-k // groups), Counter(data)
    for name, members in (
        ("consecutive elements share a group", [range(size * g, size * (g + 1)) for g in range(groups)]),
        ("the element modulo k_hat", [range(g, size * groups, groups) for g in range(groups)]),
    ):
        landed = tuple(fixed_group(held, k, size * groups, part) for part in members)
        yield good.mutated(f"the partition is not random: {name}", DATA, landed=landed)
    yield good.mutated("the data is left out", DATA, landed=tuple(point(0) for _ in range(groups)))
    inverted = tuple(image(law, neg).moved(good.users) for law in good.landed[:1]) * groups
    yield good.mutated("the bits are inverted", DATA, landed=inverted)
    if size * groups > k:
        kept = landed_in_group(k, groups, data, padding=False)
        yield good.mutated("nobody's element is replaced by padding", DATA, landed=(kept,) * groups)
    share, free = Fraction(1, groups), point(0)
    for count in held.values():
        free = free.plus(mixture([(1 - share, point(0)), (share, point(count))]))
    unequal = "each element picks a group on its own: groups of unequal size"
    yield good.mutated(unequal, DATA, landed=(free,) * groups)
    each = binomial(len(data), real(share))
    yield good.mutated("each user has another partition", DATA, landed=(each,) * groups)


def fixed_group(held: Counter[int], k: int, padded: int, members: Sequence[int]) -> MassTable:
    """The users in a group of known elements, counted from 0, some of which may be padding."""
    users = sum(held[x + 1] for x in members if x < k)
    return landed_by(users, held.total(), k, sum(x >= k for x in members), padded)


def landed_by(inside: int, users: int, k: int, padding: int, padded: int) -> MassTable:
    """The users in a group with so many elements of padding that so many users' samples lie in."""
    stay, come = real(Fraction(k + padding, padded)), real(Fraction(padding, padded))
    return binomial(inside, stay).plus(binomial(users - inside, come))
