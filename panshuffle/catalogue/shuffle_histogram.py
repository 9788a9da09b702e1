"""The shuffle histogram of Balcer and Cheu: P^zsum for every element of [k]."""

from __future__ import annotations

from panshuffle import card, running
from panshuffle.catalogue import binary_sum
from panshuffle.catalogue.binary_sum import noise_bit
from panshuffle.dataset import elements
from panshuffle.exact.views.binomial import shuffle_histogram_view
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.question import Params, Seen


def record(params: Params) -> ShuffleHistogram:
    """The histogram on P^zsum."""
    n, k = params.count("n"), params.count("k")
    return ShuffleHistogram(n, k, noise_bit(params, n))


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The largest p."""
    users, k = calibrator.users(), calibrator.params.count_or("k", 2)
    return calibrator.largest_p(lambda p: shuffle_histogram_view(k, users, p, calibrator.pool).curve)


CARD = card.Card(
    name="shuffle-histogram",
    model=card.Model.SHUFFLE,
    params=("n", "k", "p", "eps", "exp-eps", "delta", "gamma"),
    records=(ShuffleHistogram,),
    record=record,
    universe=lambda record: elements(record.k),
    runner=lambda record: running.shuffled(record, record.n * record.k),
    view=lambda record, setting: shuffle_histogram_view(
        record.k, setting.users(record.n), record.p, setting.selection.pool, setting.selection.direction
    ),
    reference="bit_pools.shuffle_histogram",
    derived=lambda record: {"p": record.p},
    seen=Seen(pools=True),
    k_is_open=lambda params: True,
    calibration=card.Calibrated(("n", "k", "gamma"), problem),
    accuracy=card.Accuracy(lambda asked: binary_sum.error(asked, asked.params.count("k")), ("beta", "raw")),
    certificate=lambda record, setting: {"k": record.k, "n": record.n, "gamma": setting.gamma, "p": record.p},
    export=card.Export(
        card.pool_table(2), lambda part: f"{part.ones}, less the others'", sizes=lambda record: {"k": record.k}
    ),
    attack=card.Attack("ones less others", lambda record, rows: record.k * 2 * rows),
    seconds=0.05,
)
