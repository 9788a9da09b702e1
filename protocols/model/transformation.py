"""What the two transformations of a shuffle protocol into an online algorithm share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from panshuffle.protocols.model.shuffle import Labelled
from panshuffle.protocols.randomness.coins import Coins


def in_random_order(messages: Counter[Labelled], coins: Coins) -> list[Labelled]:
    """S: the messages of a multiset as a vector in uniformly random order."""
    return coins.shuffled(messages.elements())


def collect(vectors: Iterable[Iterable[Labelled]]) -> Counter[Labelled]:
    """The multiset of all messages."""
    return Counter(message for vector in vectors for message in vector)
