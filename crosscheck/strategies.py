"""Strategies for hypothesis: parameters, protocols, datasets and neighbouring pairs of datasets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from exact.numbers.real import Real, log, real
from protocols.binary_sum import BinarySum
from protocols.binomial import Binomial
from protocols.compressed_uniformity import CompressedUniformity
from protocols.distinct_elements import DistinctElements
from protocols.geometric_distinct_elements import GeometricDistinctElements
from protocols.hashed_distinct_elements import HashedDistinctElements
from protocols.modular_sum import ModularSum
from protocols.pan_distinct_elements import PanDistinctElements
from protocols.pan_histogram import PanHistogram
from protocols.pan_sum import PanSum
from protocols.pan_uniformity import PanUniformity
from protocols.randomized_or import RandomizedOr
from protocols.shuffle_histogram import ShuffleHistogram
from protocols.two_bit_sum import TwoBitSum
from protocols.uniformity import Uniformity

MOST_USERS = 8
MOST_ELEMENTS = 5


def probabilities(least: Fraction | int = 0, most: Fraction | int = 1) -> SearchStrategy[Real]:
    """Rational probabilities, the ends included."""
    return st.fractions(least, most, max_denominator=64).map(real)


def epsilons() -> SearchStrategy[Real]:
    """eps = ln E for a rational E above 1, so that laws stay rational."""
    return st.fractions(Fraction(17, 16), 16, max_denominator=16).map(lambda ratio: log(real(ratio)))


def noise_scales() -> SearchStrategy[Real]:
    """lam of the testers, a positive rational."""
    return st.fractions(Fraction(1, 4), 40, max_denominator=8).map(real)


def users() -> SearchStrategy[int]:
    """n."""
    return st.integers(1, MOST_USERS)


def elements() -> SearchStrategy[int]:
    """k."""
    return st.integers(1, MOST_ELEMENTS)


def shares() -> SearchStrategy[int]:
    """m of P_MOD and P_DE."""
    return st.integers(1, 6)


def testers(k: SearchStrategy[int]) -> SearchStrategy[Uniformity]:
    """P_UT with the repaired threshold."""
    return st.builds(lambda n, size, lam: Uniformity.repaired(n, size, lam, real(n)), users(), k, noise_scales())


def compressed() -> SearchStrategy[CompressedUniformity]:
    """P_UT on groups."""
    sizes = elements().flatmap(lambda k: st.tuples(st.just(k), st.integers(1, k)))
    return st.builds(
        lambda n, size, lam: CompressedUniformity.repaired(n, size[0], size[1], lam, real(n)),
        users(),
        sizes,
        noise_scales(),
    )


def distinct() -> SearchStrategy[DistinctElements]:
    """P_DE."""
    return st.builds(DistinctElements, users(), elements(), epsilons(), shares())


RECORDS: dict[str, Callable[[], SearchStrategy[Any]]] = {
    "binomial": lambda: st.builds(Binomial, users(), st.integers(0, 60), probabilities()),
    "binary-sum": lambda: st.builds(BinarySum, users(), probabilities()),
    "modular-sum": lambda: st.builds(ModularSum, users(), shares()),
    "distinct-elements": distinct,
    "hashed-distinct-elements": lambda: st.builds(
        HashedDistinctElements, users(), elements(), epsilons(), shares(), st.just(real(1))
    ),
    "uniformity": lambda: testers(elements()),
    "compressed-uniformity": compressed,
    "pan-sum": lambda: st.builds(PanSum, users(), st.integers(1, 40)),
    "pan-histogram": lambda: st.builds(PanHistogram, users(), elements(), st.integers(1, 40)),
    "shuffle-histogram": lambda: st.builds(ShuffleHistogram, users(), elements(), probabilities()),
    "pan-distinct-elements": lambda: distinct().filter(lambda record: record.n >= 3).map(PanDistinctElements),
    "pan-uniformity": lambda: testers(elements()).filter(lambda record: record.n >= 3).map(PanUniformity),
    "randomized-or": lambda: st.builds(RandomizedOr, users(), epsilons()),
    "two-bit-sum": lambda: st.builds(TwoBitSum, users(), probabilities(0, Fraction(1, 2))),
    "geometric-distinct-elements": lambda: st.builds(GeometricDistinctElements, users(), elements(), epsilons()),
}


def protocols(*names: str) -> SearchStrategy[Any]:
    """Records of the named protocols (default: of all), at small parameters."""
    return st.one_of([RECORDS[name]() for name in names or RECORDS])


def universe(record: Any) -> SearchStrategy[Any]:
    """One row of a protocol's data."""
    if isinstance(record, TwoBitSum):
        return st.tuples(st.integers(0, 1), st.integers(0, 1))
    inner = record if hasattr(record, "k") else getattr(record, "protocol", record)
    return st.integers(1, inner.k) if hasattr(inner, "k") else st.integers(0, 1)


def rows(record: Any) -> int:
    """The number of rows of a full dataset."""
    length = getattr(record, "length", None)
    return int(record.n if length is None else length)


def datasets(record: Any) -> SearchStrategy[list[Any]]:
    """Datasets of all users, or streams."""
    return st.lists(universe(record), min_size=rows(record), max_size=rows(record))


@st.composite
def neighbours(draw: DrawFn, record: Any) -> tuple[list[Any], list[Any]]:
    """Two datasets that differ in the row of at most one user."""
    first = draw(datasets(record))
    index = draw(st.integers(0, len(first) - 1))
    second = list(first)
    second[index] = draw(universe(record))
    return first, second
