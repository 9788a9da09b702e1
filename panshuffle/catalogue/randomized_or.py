"""The central randomized OR that P_DE simulates, at a trusted curator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panshuffle import card
from panshuffle.exact.real import HALF
from panshuffle.exact.views.released import randomized_or_view
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.question import Seen, Setting

if TYPE_CHECKING:
    from panshuffle.exact.curves.law_pair import LawPair


MISSED = "An OR of 1 is missed half of the time, whatever eps is; an OR of 0 with probability e^-eps/2, which is less."


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """An output that is not the OR is off by 1."""
    from panshuffle.exact.real import Certified

    goal = asked.goal()
    asked.params.epsilon()
    return lambda: goal.over_all(
        lambda alpha: Certified.of(HALF if alpha < 1 else 0), lambda beta: int(beta < HALF), MISSED
    )


def pair(record: RandomizedOr, setting: Setting, digits: int | None) -> LawPair:
    """The pair of laws, as a table."""
    from panshuffle.exact.views.pair_tables import or_pair

    return or_pair(record.eps)


CARD = card.Card(
    name="randomized-or",
    model=card.Model.CENTRAL,
    params=("n", "eps", "exp-eps"),
    records=(RandomizedOr,),
    record=lambda params: RandomizedOr(params.count("n"), params.epsilon()),
    view=lambda record, setting: randomized_or_view(record.eps, setting.selection.direction),
    reference="released.randomized_or",
    seen=Seen(shift=True),
    certificate=lambda record, setting: {"n": record.n, "eps": record.eps},
    accuracy=card.Accuracy(error, ("beta",)),
    attack=card.Attack("output", lambda record, rows: 2 * rows),
    n_is_open=True,
    calibration=card.Calibrated(
        ("n",), lambda calibrator: calibrator.largest_eps(lambda eps: randomized_or_view(eps).curve)
    ),
    export=card.Export(pair, lambda part: "the output"),
)
