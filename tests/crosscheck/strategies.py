"""Strategies for hypothesis: parameters, protocols, datasets and neighbouring pairs of datasets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from panshuffle.exact.real import Real, log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum

from panshuffle.arguments import PROTOCOLS
from panshuffle.card import AnyCard, card, card_of
from panshuffle.catalogue import compressed_uniformity, pan_distinct_elements, pan_uniformity, uniformity
from panshuffle.dataset import Datum

MOST_USERS = 8
MOST_ELEMENTS = 5


def probabilities(least: Fraction | int = 0, most: Fraction | int = 1) -> SearchStrategy[Real]:
    """Rational probabilities, the ends included."""
    return st.fractions(least, most, max_denominator=64).map(real)


def users() -> SearchStrategy[int]:
    """n."""
    return st.integers(1, MOST_USERS)


def elements() -> SearchStrategy[int]:
    """k."""
    return st.integers(1, MOST_ELEMENTS)


PARAMS: dict[str, Callable[[], SearchStrategy[Any]]] = {
    "n": users,
    "three users": lambda: st.integers(3, MOST_USERS),
    "k": elements,
    "eps": lambda: st.fractions(Fraction(17, 16), 16, max_denominator=16).map(lambda ratio: log(real(ratio))),
    "m": lambda: st.integers(1, 6),
    "p": probabilities,
    "flip": lambda: probabilities(0, Fraction(1, 2)),
    "lam": lambda: st.fractions(Fraction(1, 4), 40, max_denominator=8).map(real),
    "bits": lambda: st.integers(1, 40),
    "coins": lambda: st.integers(0, 60),
    "copies": lambda: st.integers(1, 4),
    "inner flip": lambda: probabilities(Fraction(1, 16), Fraction(7, 16)),
    "groups": lambda: elements().flatmap(lambda k: st.tuples(st.just(k), st.integers(1, k))),
}
"""Strategies of parameters by their names; groups are k and a k-hat of at most k; e^eps and so laws are rational."""

RECORDS: dict[str, tuple[Any, ...]] = {
    "binary-sum": (BinarySum, "n", "p"),
    "binomial": (Binomial, "n", "coins", "p"),
    "compressed-uniformity": (compressed_uniformity.repaired, "n", "groups", "lam"),
    "distinct-elements": (DistinctElements, "n", "k", "eps", "m"),
    "geometric-distinct-elements": (GeometricDistinctElements, "n", "k", "eps"),
    "hashed-distinct-elements": (partial(HashedDistinctElements, c=real(1)), "n", "k", "eps", "m"),
    "modular-sum": (ModularSum, "n", "m"),
    "pan-distinct-elements": (pan_distinct_elements.transformed, "three users", "k", "eps", "m"),
    "pan-histogram": (PanHistogram, "n", "k", "bits"),
    "pan-sum": (PanSum, "n", "bits"),
    "pan-uniformity": (pan_uniformity.transformed, "three users", "k", "lam"),
    "poisson-binomial": (PoissonBinomial, "n", "copies", "inner flip"),
    "randomized-or": (RandomizedOr, "n", "eps"),
    "shuffle-histogram": (ShuffleHistogram, "n", "k", "p"),
    "two-bit-sum": (TwoBitSum, "n", "flip"),
    "uniformity": (uniformity.repaired, "n", "k", "lam"),
}
"""How records at small parameters are made: by what, and of which parameters."""


def small(found: AnyCard) -> SearchStrategy[Any]:
    """Records of a protocol, at small parameters."""
    make, *params = RECORDS[found.name]
    return st.builds(make, *(PARAMS[parameter]() for parameter in params))


def protocols(*names: str) -> SearchStrategy[Any]:
    """Records of the named protocols (default: of all), at small parameters."""
    return st.one_of([small(card(name)) for name in names or PROTOCOLS])


def universe(record: object) -> SearchStrategy[Datum]:
    """One row of a protocol's data."""
    found = card_of(record).universe(record)
    return st.integers(0, found.size - 1).map(found.value)


def rows(record: object) -> int:
    """The number of rows of a full dataset."""
    return card_of(record).runner(record).rows


def datasets(record: object) -> SearchStrategy[list[Datum]]:
    """Datasets of all users, or streams."""
    return st.lists(universe(record), min_size=rows(record), max_size=rows(record))


@st.composite
def neighbours(draw: DrawFn, record: object) -> tuple[list[Datum], list[Datum]]:
    """Two datasets that differ in the row of at most one user."""
    first = draw(datasets(record))
    index = draw(st.integers(0, len(first) - 1))
    second = list(first)
    second[index] = draw(universe(record))
    return first, second
