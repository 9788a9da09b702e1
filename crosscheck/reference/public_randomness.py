"""Public randomness that is not known to be of one family: what holds for all, and what holds given its values.

A hash function has *some* family, and a partition is *some* balanced one.  Where a run shows the values on the data,
all is tested given them; where it does not, only what holds whatever they are, be they drawn anew or kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce

from flint import arb, ctx
from panshuffle.crosscheck.mass_tables import BITS, MassTable, end_of, point
from panshuffle.crosscheck.reference.areas import NOISE
from panshuffle.crosscheck.reference.model import LEAST, MISSING, MOST, Bug, Fit, Laws, Reference, fixed
from panshuffle.crosscheck.reference.parity_pools import Shares, share_bugs
from panshuffle.crosscheck.reference.poisson_pools import noise_of
from panshuffle.crosscheck.reference.pools import pool_names, sizes_and_ones, zeros_and_ones
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import HALF, Real, real

Weights = tuple[tuple[int, Fraction], ...]


UNSEEN = "how the public randomness is drawn, and what depends on it (no run shows its values on the data)"
MOST_HOLDERS = 12  # users of a pool up to which its ones are looked at given how many they are


@dataclass(frozen=True, eq=False)
class EitherTable(MassTable):
    """Enclosures that hold for whichever of some laws is the true one, and for any mixture of them."""

    parts: tuple[MassTable, ...] = ()

    def up_to(self, x: int) -> arb:
        """P[X <= x], whichever law it is."""
        return reduce(arb.union, (part.up_to(x) for part in self.parts))

    def moved(self, by: int) -> MassTable:
        """The law of X + by."""
        return either([part.moved(by) for part in self.parts])


def either(parts: Sequence[MassTable]) -> MassTable:
    """The enclosures for some laws.

    >>> law = either([point(0), point(1)])
    >>> law.mass(1).contains(0.25), law.up_to(0).contains(0.75), law.possible(2)
    (True, True, False)
    """
    first, last = min(part.first for part in parts), max(part.first + len(part.masses) for part in parts)
    with ctx.workprec(BITS):
        masses = tuple(reduce(arb.union, (part.mass(x) for part in parts)) for x in range(first, last))
        tail = reduce(arb.max, (part.tail for part in parts))
    least, most = end_of(min, *(part.least for part in parts)), end_of(max, *(part.most for part in parts))
    return EitherTable(first, masses, tail, least, most, tuple(parts))


def holders_of(run: Run, users: int, pools: int) -> list[int]:
    """How many users hold each value, from the values of all users that a run shows.  *Raises* `InputError`."""
    values = run.public or ()
    if len(values) != users or not all(1 <= value <= pools for value in values):
        raise InputError(f'"hash" must be a list of {users} values from 1 to {pools}, one for each user')
    return [values.count(j) for j in range(1, pools + 1)]


def hashed_hash_agnostic(own: Reference, shares: Shares, n: int, pools: int) -> Reference:
    """What holds for every hash function: the number of messages, and the ones of a pool whoever holds its value."""

    def laws(of: Shares) -> Laws:
        ones = either([of.ones(count) for count in range(of.users + 1)])
        return point(0), *(law for _ in range(pools) for law in (point(of.users * of.m), ones))

    return composite(own, pool_names(pools), laws, shares, n, sizes_and_ones(pools), (UNSEEN,))


def hashed_given(own: Reference, shares: Shares, n: int, pools: int, asked: Real) -> Reference:
    """Everything, given the values of the users' elements: the ones of each pool with each number of holders."""
    known = range(min(shares.users, MOST_HOLDERS) + 1)
    sizes = sizes_and_ones(pools)

    def laws(of: Shares) -> Laws:
        ones = [of.ones(count) for count in known]
        return point(0), *(law for _ in range(pools) for law in (point(of.users * of.m), *ones))

    def read(run: Run) -> tuple[int, ...]:
        outside, *counts = sizes(run)
        row = [outside]
        for j, holders in enumerate(holders_of(run, shares.users, pools)):
            row += [counts[2 * j], *(counts[2 * j + 1] if count == holders else MISSING for count in known)]
        return tuple(row)

    parts = ("messages", *(f"ones, {count} holders" for count in known))
    names = pool_names(pools, parts)
    found = composite(own, names, laws, shares, n, read, ())
    knob = Fit("p'", asked, LEAST / 100, MOST / 2, lambda p: laws(replace(shares, q=1 - 2 * p)))
    return replace(found, knobs=(knob,))


def composite(
    own: Reference,
    names: tuple[str, ...],
    laws: Callable[[Shares], Laws],
    shares: Shares,
    n: int,
    read: Callable[[Run], tuple[int, ...]],
    unseen: tuple[str, ...],
) -> Reference:
    """A reference with the mistakes of the shares."""
    bugs = []
    for bug in share_bugs(shares, n):
        if isinstance(bug.setting, Shares):
            bugs.append(Bug(bug.name, bug.area, partial(laws, bug.setting)))
    found = Reference(names, tuple(laws(shares)), read, tuple(bugs), own.output, own.wrong_analyzers, own.arrangement)
    return replace(found, rest=own.rest, unseen=unseen)


def grouped_hash_agnostic(own: Reference, users: int, mean: Real, groups: int) -> Reference:
    """What holds for every partition: the size of each group, and the ones of all groups together."""
    size = noise_of("poisson", users, mean, real(1)).moved(users)
    total = noise_of("poisson", users, mean * groups, HALF).moved(users)
    sizes = sizes_and_ones(groups)

    def read(run: Run) -> tuple[int, ...]:
        found = sizes(run)
        return *found[:1], *found[1::2], sum(found[2::2])

    names = (*pool_names(groups, ("messages",)), "all groups together: ones")
    laws = (point(0), *(size for _ in range(groups)), total)
    last = frozenset({groups + 1})
    return Reference(
        names, laws, read, (), own.output, own.wrong_analyzers, own.arrangement, dependent=last, unseen=(UNSEEN,)
    )


def grouped_given(own: Reference, users: int, mean: Real, groups: int, lam: Fit) -> Reference:
    """Everything, given the group of each user: the noise zeros and the noise ones of each group."""
    pools = zeros_and_ones(groups)
    noise = noise_of("poisson", users, mean, HALF)

    def read(run: Run) -> tuple[int, ...]:
        outside, *counts = pools(run)
        row = [outside]
        for j, holders in enumerate(holders_of(run, users, groups)):
            row += [counts[2 * j] - (users - holders), counts[2 * j + 1] - holders]
        return tuple(row)

    def laws(other: Real) -> Laws:
        table = noise_of("poisson", users, other, HALF)
        return point(0), *(table for _ in range(2 * groups))

    bugs = [
        fixed(name, NOISE, *laws(mean * factor))
        for name, factor in (("twice as much noise", real(2)), ("half as much noise", HALF), ("no noise bits", real(0)))
    ]
    names = pool_names(groups, ("noise zeros", "noise ones"))
    knob = replace(lam, laws=lambda value: laws(value * mean / lam.asked))
    found = (point(0), *(noise for _ in range(2 * groups)))
    return Reference(names, found, read, tuple(bugs), own.output, own.wrong_analyzers, own.arrangement, (knob,))
