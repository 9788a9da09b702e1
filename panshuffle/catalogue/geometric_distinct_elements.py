"""The central baseline: the number of distinct elements plus two-sided geometric noise, at a trusted curator."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from panshuffle import card
from panshuffle.dataset import elements
from panshuffle.exact.views.released import geometric_distinct_elements_view
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.question import Setting

if TYPE_CHECKING:
    from panshuffle.exact.curves.law_pair import LawPair


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The largest eps."""
    n, k = calibrator.params.count_or("n", 2), calibrator.params.count_or("k", 2)
    calibrator.check_neighbours(n, k)
    return calibrator.largest_eps(lambda eps: geometric_distinct_elements_view(n, k, eps).curve)


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """The noise."""
    from panshuffle.exact.accuracy.estimates import geometric_alpha, geometric_chance

    eps, goal = asked.params.epsilon(), asked.goal()
    chance, least = partial(geometric_chance, eps), partial(geometric_alpha, eps)
    return lambda: goal.over_all(chance, least, "Two-sided geometric noise, whatever the data are.")


def pair(record: GeometricDistinctElements, setting: Setting, digits: int | None) -> LawPair:
    """The pair of laws, as a table."""
    from panshuffle.exact.views.pair_tables import geometric_pair

    return geometric_pair(record.eps)


CARD = card.Card(
    name="geometric-distinct-elements",
    model=card.Model.CENTRAL,
    params=("n", "k", "eps", "exp-eps"),
    records=(GeometricDistinctElements,),
    record=lambda params: GeometricDistinctElements(params.count("n"), params.count("k"), params.epsilon()),
    universe=lambda record: elements(record.k),
    view=lambda record, setting: geometric_distinct_elements_view(record.n, record.k, record.eps),
    reference="released.geometric_count",
    certificate=lambda record, setting: {"n": record.n, "k": record.k, "eps": record.eps},
    attack=card.Attack("output less distinct", lambda record, rows: 2 * rows, changed=lambda record: (1, record.k)),
    n_is_open=True,
    k_is_open=lambda params: True,
    calibration=card.Calibrated(("n", "k"), problem),
    accuracy=card.Accuracy(error, ("beta", "distinct")),
    export=card.Export(
        pair,
        lambda part: "the output less the number of distinct elements",
        sizes=lambda record: {"k": record.k, "n": record.n},
    ),
)
