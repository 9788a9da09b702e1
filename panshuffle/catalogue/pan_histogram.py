"""The pan-private histogram: Q_ZSUM for every element of [k]."""

from __future__ import annotations

from panshuffle import card, running
from panshuffle.catalogue import pan_sum
from panshuffle.dataset import elements
from panshuffle.exact import parameters as formulas
from panshuffle.exact.errors import shortened
from panshuffle.exact.real import Real
from panshuffle.exact.views.binomial import pan_histogram_view
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.question import Seen


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least lam."""
    k = calibrator.params.count_or("k", 2)
    return calibrator.least("lam", lambda lam: pan_histogram_view(k, lam, calibrator.pool).curve)


def printed(calibrator: card.Calibrator, eps: Real, delta: Real) -> str:
    """The printed lam, for one bin or for two."""
    return shortened(formulas.lam_pan(eps, delta) if calibrator.pool else formulas.lam_pan(eps / 2, delta / 2))


CARD = card.Card(
    name="pan-histogram",
    model=card.Model.ONLINE,
    params=("n", "k", "lam", "eps", "exp-eps", "delta"),
    records=(PanHistogram,),
    record=lambda params: PanHistogram(params.count("n"), params.count("k"), pan_sum.noise(params)),
    universe=lambda record: elements(record.k),
    runner=running.online,
    view=lambda record, setting: pan_histogram_view(
        record.k, record.lam, setting.selection.pool, setting.selection.direction
    ),
    reference="counters.counters",
    derived=lambda record: {"lam": record.lam},
    seen=Seen(pools=True, time=True),
    n_is_open=True,
    k_is_open=lambda params: True,
    calibration=card.Calibrated(("n", "k"), problem, "pan-histogram", printed),
    accuracy=card.Accuracy(lambda asked: pan_sum.error(asked, asked.params.count("k")), ("beta", "raw")),
    certificate=lambda record, setting: {"k": record.k, "lam": record.lam},
    export=card.Export(card.pool_table(2), lambda part: part.ones, sizes=lambda record: {"k": record.k}),
    attack=card.Attack("counts less others", lambda record, rows: record.k * 2 * rows),
    seconds=0.05,
)
