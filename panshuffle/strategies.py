"""Strategies for hypothesis: parameters, protocols, datasets and neighbouring pairs of datasets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from panshuffle.arguments import PROTOCOLS
from panshuffle.card import AnyCard, card, card_of
from panshuffle.dataset import Datum
from panshuffle.exact.real import Real, log, real

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


def small(found: AnyCard) -> SearchStrategy[Any]:
    """Records of a protocol, at small parameters."""
    return st.builds(found.small.make, *(PARAMS[parameter]() for parameter in found.small.params))


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
