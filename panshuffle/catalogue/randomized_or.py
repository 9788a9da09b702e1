"""The central randomized OR that P_DE simulates, in one trusted hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exact.views import randomized_or
from panshuffle.card import Calibrated, Card, Export, Model, later
from panshuffle.dataset import BITS
from panshuffle.running import Central
from panshuffle.search import CROSSING, Search, Unknown
from panshuffle.setting import Seen, Setting
from protocols.randomized_or import RandomizedOr

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from exact.curves.law_pair import LawPair

NAME = "randomized-or"


def unknown(search: Search) -> Unknown:
    """The largest eps."""
    return Unknown("eps", lambda: search.largest_epsilon(lambda eps: randomized_or.view(eps).curve), CROSSING)


def exported(record: RandomizedOr, setting: Setting, digits: int | None) -> tuple[LawPair, str]:
    """The two bits."""
    from exact.views.pair_tables import or_pair

    return or_pair(record.eps), "the output"


def strategy() -> SearchStrategy[RandomizedOr]:
    """Small ones."""
    from hypothesis import strategies as st

    from panshuffle.strategies import epsilons, users

    return st.builds(RandomizedOr, users(), epsilons())


CARD = Card(
    name=NAME,
    model=Model.CENTRAL,
    neighbours="one user's bit changes",
    letters=("n", "eps", "exp-eps"),
    records=(RandomizedOr,),
    record=lambda letters: RandomizedOr(letters.count("n"), letters.epsilon()),
    universe=lambda record: BITS,
    runner=lambda record: Central(record.n, record.release),
    view=lambda record, setting: randomized_or.view(record.eps, setting.part.direction),
    reference=later("crosscheck.reference.released", "randomized_or"),
    strategy=strategy,
    seen=Seen(shift=True),
    n_is_open=True,
    calibration=Calibrated(("n",), unknown),
    export=Export(exported),
)
