"""The shuffle model: every user randomizes, a shuffler permutes all messages, an analyzer computes.

Only gamma*n of the n users need take part; the randomizer and the analyzer know n, not gamma.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from panshuffle.exact.errors import InputError
from panshuffle.exact.parameters import check_rows
from panshuffle.protocols.randomness.coins import Coins

Datum = TypeVar("Datum")
DatumIn = TypeVar("DatumIn", contravariant=True)
Message = TypeVar("Message")
Output = TypeVar("Output")
OutputOut = TypeVar("OutputOut", covariant=True)

Labelled = tuple[int, int]
"""A message (j, b): a bit b for the pool of j."""
Pools = Sequence[Sequence[int]]
"""(zeros, ones) of each pool, in the order of the labels."""


class ShuffleProtocol(Protocol[DatumIn, Message, OutputOut]):
    """P = (R, A) for n users."""

    @property
    def n(self) -> int:
        """The number of users that the protocol is made for."""

    def randomize(self, x: DatumIn, coins: Coins) -> list[Message]:
        """R: the messages of one user who holds x."""

    def count_pools(self, messages: Sequence[Message]) -> list[list[int]]:
        """(zeros, ones) of each pool, which is all that the analyzer looks at."""

    def analyze(self, messages: Sequence[Message]) -> OutputOut:
        """A: the output, computed from a permutation of all messages."""

    def analyze_pools(self, pools: Pools) -> OutputOut:
        """A: the output, computed from the number of zeros and ones of each pool."""


class PoolProtocol(ABC, Generic[Message, Output]):
    """A protocol whose analyzer looks at the number of zeros and ones of each pool only."""

    @abstractmethod
    def count_pools(self, messages: Sequence[Message]) -> list[list[int]]:
        """(zeros, ones) of each pool."""

    @abstractmethod
    def analyze_pools(self, pools: Pools) -> Output:
        """A: the output, computed from the number of zeros and ones of each pool."""

    def analyze(self, messages: Sequence[Message]) -> Output:
        """A: the output, computed from a permutation of all messages."""
        return self.analyze_pools(self.count_pools(messages))


class OnePool(PoolProtocol[int, Output]):
    """A protocol whose messages are bits."""

    def count_pools(self, messages: Sequence[int]) -> list[list[int]]:
        """The number of zeros and ones."""
        return pool_of_bits(messages)


class LabelledPools(PoolProtocol[Labelled, Output]):
    """A protocol with a pool for every element of [k]."""

    k: int

    def count_pools(self, messages: Sequence[Labelled]) -> list[list[int]]:
        """The number of zeros and ones in each pool."""
        return pools_of(messages, self.k)


@dataclass(frozen=True)
class Encoded(PoolProtocol[Message, Output], Generic[Datum, Message, Output]):
    """(R o f, A): every user applies the map f to their datum, then runs the protocol."""

    protocol: ShuffleProtocol[int, Message, Output]
    f: Callable[[Datum, Coins], int]

    @property
    def n(self) -> int:
        """As of the protocol within."""
        return self.protocol.n

    def randomize(self, x: Datum, coins: Coins) -> list[Message]:
        """R(f(x))."""
        return self.protocol.randomize(self.f(x, coins), coins)

    def count_pools(self, messages: Sequence[Message]) -> list[list[int]]:
        """The pools of the protocol within."""
        return self.protocol.count_pools(messages)

    def analyze_pools(self, pools: Pools) -> Output:
        """A, from counts."""
        return self.protocol.analyze_pools(pools)


@dataclass(frozen=True)
class Execution(Generic[Message, Output]):
    """What one run shows: the shuffled messages, which are the adversary's view, and the output."""

    messages: list[Message]
    output: Output


def shuffle(vectors: Iterable[Sequence[Message]], coins: Coins) -> list[Message]:
    """S: all messages, concatenated and in uniformly random order."""
    return coins.shuffled(message for vector in vectors for message in vector)


def execute(
    protocol: ShuffleProtocol[Datum, Message, Output], data: Sequence[Datum], coins: Coins
) -> Execution[Message, Output]:
    """P(data), where data holds the rows of the gamma*n users who take part.

    *Raises* `InputError` for no row or more than n rows.
    """
    check_rows(data, 1, protocol.n)
    messages = shuffle((protocol.randomize(x, coins) for x in data), coins)
    return Execution(messages, protocol.analyze(messages))


def pools_of(messages: Iterable[Labelled], k: int) -> list[list[int]]:
    """[zeros, ones] of the pools 1, ..., k, in this order: all that an analyzer of the paper looks at.

    *Raises* `InputError` for a message with another label or content.

    >>> pools_of([(1, 1), (2, 0), (1, 1)], 2)
    [[0, 2], [1, 0]]
    """
    counts = [[0, 0] for _ in range(k)]
    for message in messages:
        match message:
            case (int(label), int(bit)) if 1 <= label <= k and bit in (0, 1) and not isinstance(bit, bool):
                counts[label - 1][bit] += 1
            case _:
                raise InputError(
                    f"the message {message} is not allowed: messages are (j, b) with j in 1..{k} and b 0 or 1"
                )
    return counts


def pool_of_bits(messages: Iterable[int]) -> list[list[int]]:
    """The one pool of a protocol whose messages are bits.  *Raises* `InputError` for anything else."""
    counts = [0, 0]
    for message in messages:
        if isinstance(message, bool) or not isinstance(message, int) or message not in (0, 1):
            raise InputError(f"the message {message} is not allowed: messages are bits, 0 or 1")
        counts[message] += 1
    return [counts]
