"""r copies of a uniformity tester that vote, with the noise of all users in every copy.

To split the users into r groups, each with a tester of its own, is not robust: the dropouts may all be in one group
(repetition-robustness).  Here every user adds noise to every pool of every copy and data to one copy only, so that
each pool has the noise of all users who take part, whoever drops out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from panshuffle.exact.accuracy.tester import check_copies, votes_needed
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import check_element
from panshuffle.exact.real import Real
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.model.shuffle import Labelled, PoolProtocol, Pools, pools_of
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.uniformity import NOT_UNIFORM, UNIFORM, Uniformity

GroupOf = Callable[[int, Coins], int]


@dataclass(frozen=True)
class RepeatedUniformity:
    """Copies of one tester; "not uniform" if at least `votes` of them say so.

    The tester's n is that of all users and its lam the noise of every pool of every copy; its m and tau are those of
    one copy, which gets the samples of about n/copies users.
    """

    tester: Uniformity | CompressedUniformity
    copies: int
    votes: int

    def __post_init__(self) -> None:
        check_copies(self.copies)
        if self.copies > self.tester.n:
            raise ParameterError("copies", self.copies, f"at most n = {self.tester.n}, so that each copy has a user")
        if not 1 <= self.votes <= self.copies:
            raise ParameterError("votes", self.votes, f"a whole number from 1 to {self.copies}, the number of copies")

    @classmethod
    def repaired(cls, tester: Uniformity | CompressedUniformity, copies: int) -> RepeatedUniformity:
        """The fewest votes that keep the type I error at 1/3 where that of a copy is at most 1/3."""
        return cls(tester, copies, votes_needed(copies))

    @property
    def n(self) -> int:
        """The number of users."""
        return self.tester.n

    @property
    def k(self) -> int:
        """The size of the data universe."""
        return self.tester.k

    @property
    def k_hat(self) -> int:
        """The number of pools of one copy."""
        return self.tester.k_hat if isinstance(self.tester, CompressedUniformity) else self.tester.k

    @property
    def lam(self) -> Real:
        """The noise of every pool of every copy."""
        return self.tester.lam

    @property
    def pools(self) -> int:
        """The number of pools of all copies."""
        return self.copies * self.k_hat

    def publish(self, coins: Coins) -> Copies:
        """The protocol for a public assignment of the users to the copies, in shares that differ by one at most."""
        return self.publish_with(coins.shuffled(user % self.copies for user in range(self.n)), coins)

    def publish_with(self, assignment: Sequence[int], coins: Coins) -> Copies:
        """The same for a given assignment: the copy of each user, from 0; every copy draws its own partition."""
        if len(assignment) != self.n or not set(assignment) <= set(range(self.copies)):
            raise ParameterError("assignment", assignment, f"one of the copies 0..{self.copies - 1} for each user")
        return Copies(self, tuple(assignment), tuple(self.group_of(coins) for _ in range(self.copies)))

    def count_pools(self, messages: Sequence[Labelled]) -> list[list[int]]:
        """The number of zeros and ones in each pool."""
        return pools_of(messages, self.pools)

    def analyze_pools(self, pools: Pools) -> str:
        """The answer from the number of zeros and ones in each pool, for users in equal shares."""
        larger = self.n % self.copies
        return self.decide(pools, [self.n // self.copies + (copy < larger) for copy in range(self.copies)])

    def decide(self, pools: Pools, sizes: Sequence[int]) -> str:
        """The answer for this many users in each copy: "not uniform" if enough copies say so."""
        own = [pools[copy * self.k_hat : (copy + 1) * self.k_hat] for copy in range(self.copies)]
        said = sum(self.says(part, users) == NOT_UNIFORM for part, users in zip(own, sizes, strict=True))
        return NOT_UNIFORM if said >= self.votes else UNIFORM

    def says(self, pools: Pools, users: int) -> str:
        """A_UT on the pools of one copy with the given number of users, or none."""
        tester = Uniformity(max(users, 1), self.k_hat, self.tester.lam, self.tester.m, self.tester.tau)
        return tester.analyze_pools([[zeros + (not users), ones] for zeros, ones in pools])

    def group_of(self, coins: Coins) -> GroupOf:
        """The pool of an element in one copy: its own, or that of its group."""
        if isinstance(self.tester, CompressedUniformity):
            return self.tester.publish(coins).f
        k = self.tester.k

        def itself(x: int, _: Coins) -> int:
            check_element(x, k)
            return x

        return itself


@dataclass(frozen=True)
class Copies(PoolProtocol[Labelled, str]):
    """The protocol after its public randomness: pool j of copy i, from 0, has the label i * k_hat + j.

    `randomize` takes the users in the order of the assignment; `randomize_in` is for a user whose copy is named.
    """

    record: RepeatedUniformity
    assignment: tuple[int, ...]
    groups: tuple[GroupOf, ...]
    turns: Iterator[int] = field(default_factory=count, compare=False)

    @property
    def n(self) -> int:
        """The number of users."""
        return self.record.n

    @property
    def k(self) -> int:
        """The number of pools."""
        return self.record.pools

    @cached_property
    def noise_mean(self) -> Real:
        """lam/n, the expected number of noise bits that one user adds to a pool, whatever their copy."""
        return self.record.lam / self.n

    def randomize(self, x: int, coins: Coins) -> list[Labelled]:
        """The messages of the next user."""
        return self.randomize_in(self.assignment[next(self.turns) % self.n], x, coins)

    def randomize_in(self, copy: int, x: int, coins: Coins) -> list[Labelled]:
        """R_UT in the user's copy, and Pois(lam/n) fair bits for every pool of the others."""
        size = self.record.k_hat
        group = self.groups[copy](x, coins)
        y: list[Labelled] = []
        for pool in range(self.k):
            label = pool + 1
            if pool // size == copy:
                y.append((label, int(group == pool % size + 1)))
            y += [(label, b) for b in coins.bit_list(coins.poisson(self.noise_mean))]
        return y

    def count_pools(self, messages: Sequence[Labelled]) -> list[list[int]]:
        """The number of zeros and ones in each pool."""
        return self.record.count_pools(messages)

    def analyze_pools(self, pools: Pools) -> str:
        """The answer "not uniform" if enough copies give it."""
        return self.record.decide(pools, [self.assignment.count(copy) for copy in range(self.record.copies)])
