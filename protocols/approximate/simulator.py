"""Pools of a shuffle protocol in floating point, for many runs at once.

Approximate: probabilities are doubles and draws are numpy's.  Use it for large experiments; the exact
protocols are the reference, and no test of a law and no proof may rest on this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import singledispatch
from math import exp, lgamma, log
from typing import Any

import numpy as np
import numpy.typing as npt
from panshuffle.exact.parameters import blocks
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_distinct_elements import DUMMY, PanDistinctElements
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum
from panshuffle.protocols.uniformity import Uniformity

Counts = npt.NDArray[np.int64]


@singledispatch
def simulate_pools(protocol: object, data: Sequence[Any], runs: int, generator: np.random.Generator) -> Counts:
    """(zeros, ones) of every pool in every run, approximately: an array of shape (runs, pools, 2)."""
    raise TypeError(f"{type(protocol).__name__} has no approximate simulator")


@simulate_pools.register
def _(protocol: ModularSum, data: Sequence[int], runs: int, generator: np.random.Generator) -> Counts:
    odd = np.full((runs, 1), sum(data), dtype=np.int64)
    ones = parity_ones(protocol.m, odd, len(data), generator)
    return np.stack([len(data) * protocol.m - ones, ones], axis=-1)


@simulate_pools.register
def _(protocol: DistinctElements, data: Sequence[int], runs: int, generator: np.random.Generator) -> Counts:
    holders = count_each(data, protocol.k)
    odd = generator.binomial(holders, 0.5, (runs, protocol.k))
    odd += generator.binomial(len(data) - holders, float(protocol.p_prime), (runs, protocol.k))
    ones = parity_ones(protocol.m, odd, len(data), generator)
    return np.stack([len(data) * protocol.m - ones, ones], axis=-1)


@simulate_pools.register
def _(protocol: Uniformity, data: Sequence[int], runs: int, generator: np.random.Generator) -> Counts:
    holders = count_each(data, protocol.k)
    real = np.stack([len(data) - holders, holders], axis=-1)
    return real + generator.poisson(len(data) * float(protocol.noise_mean) / 2, (runs, protocol.k, 2))


@simulate_pools.register
def _(protocol: BinarySum, data: Sequence[int], runs: int, generator: np.random.Generator) -> Counts:
    ones = sum(data) + generator.binomial(len(data), float(protocol.p), (runs, 1))
    return np.stack([2 * len(data) - ones, ones], axis=-1)


@simulate_pools.register
def _(protocol: PoissonBinomial, data: Sequence[int], runs: int, generator: np.random.Generator) -> Counts:
    size, held, p = protocol.m * len(data), protocol.m * sum(data), float(protocol.p)
    ones = generator.binomial(held, 1 - p, (runs, 1)) + generator.binomial(size - held, p, (runs, 1))
    return np.stack([size - ones, ones], axis=-1)


@simulate_pools.register
def _(protocol: ShuffleHistogram, data: Sequence[int], runs: int, generator: np.random.Generator) -> Counts:
    ones = count_each(data, protocol.k) + generator.binomial(len(data), float(protocol.p), (runs, protocol.k))
    return np.stack([2 * len(data) - ones, ones], axis=-1)


@simulate_pools.register
def _(protocol: TwoBitSum, data: Sequence[tuple[int, int]], runs: int, generator: np.random.Generator) -> Counts:
    sums, p = np.array([sum(x[0] for x in data), sum(x[1] for x in data)]), float(protocol.p)
    ones = generator.binomial(sums, 1 - p, (runs, 2)) + generator.binomial(len(data) - sums, p, (runs, 2))
    return np.stack([len(data) - ones, ones], axis=-1)


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


def count_each(data: Sequence[int], k: int) -> Counts:
    """How often each element of [k] occurs."""
    counts = Counter(data)
    return np.array([counts[j] for j in range(1, k + 1)], dtype=np.int64)


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
