"""Where fair bits come from: the operating system, or a seed that makes runs reproducible."""

from __future__ import annotations

from random import Random, SystemRandom
from typing import Protocol

from panshuffle.exact.parameters import check_count


class BitSource(Protocol):
    """Anything that yields independent fair bits."""

    def getrandbits(self, k: int, /) -> int:
        """An integer that is uniform over 0, ..., 2^k - 1."""


def bit_source(seed: int | None = None) -> BitSource:
    """The operating system's generator, or a reproducible one for a seed.

    >>> bit_source(7).getrandbits(16) == bit_source(7).getrandbits(16)
    True
    """
    if seed is None:
        return SystemRandom()
    check_count("seed", seed, least=0)
    return Random(seed)


def sample_below(bound: int, source: BitSource) -> int:
    """A uniform integer in 0, ..., bound - 1, by rejection: no modulo bias.

    *Raises* `ParameterError` for bound < 1.
    """
    check_count("bound", bound)
    width = (bound - 1).bit_length()
    while True:
        value = source.getrandbits(width) if width else 0
        if value < bound:
            return value
