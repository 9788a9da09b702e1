"""What the two transformations of a shuffle protocol into an online algorithm share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from protocols.model.shuffle import Labelled
from protocols.randomness.coins import Coins


def blocks(n: int) -> tuple[int, int, int]:
    """(dummies before, elements of the stream, dummies after), n in all.

    The paper takes n/3 each.  Where 3 does not divide n the stream has floor(n/3) elements and the
    dummies before and after share the rest; each part of the view that holds the changed element then
    still has at least n/3 executions of the randomizer.

    >>> blocks(6), blocks(7), blocks(8)
    ((2, 2, 2), (3, 2, 2), (3, 2, 3))
    """
    stream = n // 3
    return (n - stream + 1) // 2, stream, (n - stream) // 2


def in_random_order(messages: Counter[Labelled], coins: Coins) -> list[Labelled]:
    """S: the messages of a multiset as a vector in uniformly random order."""
    return coins.shuffled(messages.elements())


def collect(vectors: Iterable[Iterable[Labelled]]) -> Counter[Labelled]:
    """The multiset of all messages."""
    return Counter(message for vector in vectors for message in vector)
