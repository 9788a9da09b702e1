"""The pan-private histogram: Q_ZSUM for every element of [k]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exact import parameters as formulas
from exact.numbers.real import HALF, Real
from exact.views import pan_histogram
from panshuffle.attacking import counts_less_others
from panshuffle.card import Accuracy, Attack, Calibrated, Card, Export, Model, later
from panshuffle.catalogue import pan_sum
from panshuffle.dataset import elements
from panshuffle.explorer.subjects import NO_MESSAGES, PRINTED, Explored
from panshuffle.report.reported import TightRow
from panshuffle.running import Online
from panshuffle.search import MORE_NOISE, Search, Unknown
from panshuffle.setting import Seen, Setting
from protocols.pan_histogram import PanHistogram

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from exact.curves.law_pair import LawPair
    from panshuffle.error_law import ErrorLaw, ErrorQuestion

NAME = "pan-histogram"


def unknown(search: Search) -> Unknown:
    """The least lam."""
    k = search.letters.count_or("k", 2)
    return Unknown("lam", lambda: search.integer(lambda lam: pan_histogram.view(k, lam, search.pool).curve), MORE_NOISE)


def printed(search: Search, eps: Real, delta: Real) -> str:
    """The printed lam, for one bin or for two."""
    return str(formulas.lam_pan(eps, delta) if search.pool else formulas.lam_pan(eps / 2, delta / 2))


def error(asked: ErrorQuestion) -> ErrorLaw:
    """That of Q_ZSUM, in k bins."""
    return pan_sum.error(asked, asked.letters.count("k"))


def exported(record: PanHistogram, setting: Setting, digits: int | None) -> tuple[LawPair, str]:
    """The shifted laws of one counter or of two."""
    from exact.views.pair_tables import binomial_pair

    pool = setting.part.pool
    return binomial_pair(record.lam, HALF, pool, digits), setting.part.ones


def strategy() -> SearchStrategy[PanHistogram]:
    """Small ones."""
    from hypothesis import strategies as st

    from panshuffle.strategies import elements, users

    return st.builds(PanHistogram, users(), elements(), st.integers(1, 40))


CARD = Card(
    name=NAME,
    model=Model.ONLINE,
    neighbours="one element of the stream changes",
    letters=("n", "k", "lam", "eps", "exp-eps", "delta"),
    records=(PanHistogram,),
    record=lambda letters: PanHistogram(letters.count("n"), letters.count("k"), pan_sum.noise(letters)),
    universe=lambda record: elements(record.k),
    runner=Online,
    view=lambda record, setting: pan_histogram.view(record.k, record.lam, setting.part.pool, setting.part.direction),
    reference=later("crosscheck.reference.counters", "counters"),
    strategy=strategy,
    derived=lambda record: {"lam": record.lam},
    seen=Seen(pools=True, time=True),
    n_is_open=True,
    k_is_open=lambda letters: True,
    calibration=Calibrated(("n", "k"), unknown, NAME, printed),
    accuracy=Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"k": record.k, "lam": record.lam},
    export=Export(exported, sizes=lambda record: {"k": record.k}),
    attack=Attack(counts_less_others, lambda record, rows: record.k * 2 * rows),
    explored=Explored(
        6,
        "a histogram, pan-private",
        (("the noise", ("k", "lam")), (PRINTED, ("k", "eps", "delta"))),
        lambda letters: NO_MESSAGES,
    ),
    reported=(TightRow(3, "noise of the pan-private histogram", "calibrate {} --k 100 --at-eps 1 --at-delta 1e-6"),),
    seconds=0.05,
)
