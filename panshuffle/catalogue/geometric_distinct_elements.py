"""The central baseline: the number of distinct elements plus two-sided geometric noise, in one trusted hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exact.errors import InputError
from exact.numbers.certified import Certified
from exact.views import geometric_distinct_elements
from panshuffle.card import Accuracy, Calibrated, Card, Export, Model, later
from panshuffle.dataset import elements
from panshuffle.running import Central
from panshuffle.search import CROSSING, NO_NEIGHBOURS, Search, Unknown
from panshuffle.setting import Setting
from protocols.geometric_distinct_elements import GeometricDistinctElements

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from exact.curves.law_pair import LawPair
    from panshuffle.error_law import ErrorFound, ErrorLaw, ErrorQuestion

NAME = "geometric-distinct-elements"


def unknown(search: Search) -> Unknown:
    """The largest eps."""
    n, k = search.letters.count_or("n", 2), search.letters.count_or("k", 2)
    if 1 in (n, k):
        raise InputError(NO_NEIGHBOURS)
    return Unknown(
        "eps",
        lambda: search.largest_epsilon(lambda eps: geometric_distinct_elements.view(n, k, eps).curve),
        CROSSING,
    )


def error(asked: ErrorQuestion) -> ErrorLaw:
    """The noise."""
    from exact.accuracy.distinct_elements import geometric_alpha, geometric_chance
    from panshuffle.error_law import ALL, ErrorFound

    eps, goal = asked.letters.epsilon(), asked.goal()

    def find() -> ErrorFound:
        if goal.alpha is not None:
            value = geometric_chance(eps, goal.alpha)
        else:
            value = Certified.of(geometric_alpha(eps, goal.at_beta))
        why = "Two-sided geometric noise, whatever the data are."
        return ErrorFound(goal.quantity, value, ALL, why, alpha=goal.alpha)

    return find


def exported(record: GeometricDistinctElements, setting: Setting, digits: int | None) -> tuple[LawPair, str]:
    """The shifted laws."""
    from exact.views.pair_tables import geometric_pair

    return geometric_pair(record.eps), "the output less the number of distinct elements"


def strategy() -> SearchStrategy[GeometricDistinctElements]:
    """Small ones."""
    from hypothesis import strategies as st

    from panshuffle.strategies import elements, epsilons, users

    return st.builds(GeometricDistinctElements, users(), elements(), epsilons())


CARD = Card(
    name=NAME,
    model=Model.CENTRAL,
    neighbours="one user's element changes",
    letters=("n", "k", "eps", "exp-eps"),
    records=(GeometricDistinctElements,),
    record=lambda letters: GeometricDistinctElements(letters.count("n"), letters.count("k"), letters.epsilon()),
    universe=lambda record: elements(record.k),
    runner=lambda record: Central(record.n, record.release),
    view=lambda record, setting: geometric_distinct_elements.view(record.n, record.k, record.eps),
    reference=later("crosscheck.reference.released", "geometric_count"),
    strategy=strategy,
    n_is_open=True,
    k_is_open=lambda letters: True,
    calibration=Calibrated(("n", "k"), unknown),
    accuracy=Accuracy(error, ("beta", "distinct")),
    export=Export(exported, sizes=lambda record: {"k": record.k, "n": record.n}),
    slower_with_users=True,
)
