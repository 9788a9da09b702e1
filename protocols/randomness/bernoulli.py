"""Exact Bernoulli draws: a uniform number, known bit by bit, against an enclosure of p.

The bits u of a uniform U say that U lies in [u, u+1) / 2^b.  The draw is settled as soon as that
interval is on one side of an enclosure of p; otherwise U gets more bits and p more precision.
No rounded p is ever compared, and the draw ends with probability 1 even where p is a dyadic
rational that nobody recognised as one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from panshuffle.exact.real import Real, scaled_bounds
from panshuffle.protocols.randomness.bits import BitSource

WORD = 64

Bounds = Callable[[int], tuple[int, int]]
Sampler = Callable[[BitSource], int]


def sample_event(bounds: Bounds, source: BitSource) -> bool:
    """True with probability p, where bounds(b) = (lower, upper) encloses p * 2^b for every b."""
    bits, u = WORD, source.getrandbits(WORD)
    while True:
        lower, upper = bounds(bits)
        if u < lower:
            return True
        if u >= upper:
            return False
        bits, u = bits + WORD, u << WORD | source.getrandbits(WORD)


@lru_cache(maxsize=4096)
def bernoulli_sampler(p: Real) -> Sampler:
    """The sampler of Ber(p).  *Holds when* 0 <= p <= 1 (caller)."""
    first = scaled_bounds(p, WORD)
    return lambda source: int(sample_event(lambda bits: first if bits == WORD else scaled_bounds(p, bits), source))
