"""Pools of a shuffle protocol in floating point, for many runs at once.

Approximate: probabilities are doubles and draws are numpy's.  Use it for large experiments; the exact
protocols are the reference, and no test of a law and no proof may rest on this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, lgamma, log
from typing import Any

import numpy as np
import numpy.typing as npt
from panshuffle.exact.laws.pool_law import Coin, PoolLaw
from panshuffle.exact.parameters import blocks
from panshuffle.protocols.model.shuffle import LabelledPools
from panshuffle.protocols.pan_distinct_elements import DUMMY, PanDistinctElements
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.two_bit_sum import TwoBitSum
from panshuffle.protocols.uniformity import Uniformity

Counts = npt.NDArray[np.int64]


def simulate_pools(protocol: object, data: Sequence[Any], runs: int, generator: np.random.Generator) -> Counts:
    """(zeros, ones) of every pool in every run, approximately: an array of shape (runs, pools, 2)."""
    users, held = len(data), holders_of(protocol, data)
    shape = (runs, len(held))
    if isinstance(protocol, Uniformity):
        messages = np.stack([users - held, held], axis=-1)
        return messages + generator.poisson(users * float(protocol.noise_mean) / 2, (*shape, 2))
    law: PoolLaw | None = getattr(protocol, "pool_law", None)
    if law is None:
        raise TypeError(f"{type(protocol).__name__} has no approximate simulator")
    size, ones, odd = users * law.holder.largest, np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    shares = 0
    for part, count in ((law.holder, held), (law.other, users - held)):
        ones += part.certain * count
        for draw, number in part.draws:
            if isinstance(draw, Coin):
                ones += generator.binomial(number * count, float(draw.p), shape)
            else:
                odd += generator.binomial(number * count, float((1 - draw.sign) / 2), shape)
                shares = draw.size
    ones += parity_ones(shares, odd, users, generator) if shares else 0
    return np.stack([size - ones, ones], axis=-1)


def holders_of(protocol: object, data: Sequence[Any]) -> Counts:
    """How many users hold the element, or the bit 1, of each pool."""
    if isinstance(protocol, TwoBitSum):
        return np.array([sum(bits[place] for bits in data) for place in (0, 1)], dtype=np.int64)
    if isinstance(protocol, LabelledPools):
        counts = Counter(data)
        return np.array([counts[j] for j in range(1, protocol.k + 1)], dtype=np.int64)
    return np.array([sum(data)], dtype=np.int64)


def simulate_transformation(
    algorithm: PanDistinctElements | PanUniformity, stream: Sequence[int], t: int, generator: np.random.Generator
) -> tuple[Counts, int, Any]:
    """(pools of the state after t elements, elements that it will still use, output) of one run, approximately."""
    protocol: Any = algorithm.protocol
    before, length, after = blocks(protocol.n)
    used = length
    if isinstance(algorithm, PanUniformity):
        dummies = generator.integers(1, protocol.k + 1, protocol.n).tolist()
        used = min(int(generator.binomial(protocol.n, 2 / 9)), length)
        rows = [*dummies[:before], *stream[:used], *dummies[before + used :]]
    else:
        rows = [DUMMY] * before + list(stream) + [DUMMY] * after
    state = simulate_pools(protocol, rows[: before + t], 1, generator)[0]
    final = state + simulate_pools(protocol, rows[before + t :], 1, generator)[0]
    return state, max(0, used - t), protocol.analyze_pools(final.tolist())


def parity_ones(m: int, odd: Counts, users: int, generator: np.random.Generator) -> Counts:
    """Ones among m bits a user, for `odd` users with odd sums and the others with even ones."""
    values = np.arange(m + 1)
    masses = np.array([exp(lgamma(m + 1) - lgamma(v + 1) - lgamma(m - v + 1) - m * log(2)) for v in range(m + 1)])
    total = np.zeros(odd.shape, dtype=np.int64)
    for count, parity in ((odd, 1), (users - odd, 0)):
        support = values[values % 2 == parity]
        law = masses[support] / masses[support].sum()
        total += generator.multinomial(count, law) @ support
    return total
