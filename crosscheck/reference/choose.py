"""From a protocol's record and its data to the reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crosscheck.reference import bit_pools, counters, encoded, parity_pools, poisson_pools, released, transformed
from crosscheck.reference.model import Reference
from exact.errors import InputError

ONLINE: dict[str, Callable[[Any, Sequence[Any], int | None], Reference]] = {
    "PanSum": counters.counters,
    "PanHistogram": counters.counters,
    "PanDistinctElements": transformed.pan_distinct_elements,
    "PanUniformity": transformed.pan_uniformity,
}

OTHERS: dict[str, Callable[[Any, Any], Reference]] = {
    "Binomial": released.binomial_mechanism,
    "RandomizedOr": released.randomized_or,
    "GeometricDistinctElements": released.geometric_count,
    "BinarySum": bit_pools.binary_sum,
    "ShuffleHistogram": bit_pools.shuffle_histogram,
    "TwoBitSum": bit_pools.two_bit_sum,
    "ModularSum": parity_pools.modular_sum,
    "DistinctElements": parity_pools.distinct_elements,
    "HashedDistinctElements": encoded.hashed_distinct_elements,
    "Uniformity": poisson_pools.uniformity,
    "CompressedUniformity": encoded.compressed_uniformity,
}


def reference_of(record: Any, data: Sequence[Any], t: int | None = None) -> Reference:
    """What correct runs of the protocol on the data show.

    *Holds when* the data are the rows of those who take part.  *Raises* `InputError` for a protocol without one.
    """
    name = type(record).__name__
    if name in ONLINE:
        return ONLINE[name](record, list(data), t)
    if name in OTHERS:
        return OTHERS[name](record, list(data))
    raise InputError(f"no reference is known for {name}")
