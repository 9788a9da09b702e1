"""The shuffle histogram of Balcer and Cheu: P^zsum for every element of [k]."""

from __future__ import annotations

from panshuffle.attacking import ones_less_others
from panshuffle.card import Accuracy, Attack, Calibrated, Card, Export, Model, later, small
from panshuffle.catalogue import binary_sum
from panshuffle.catalogue.binary_sum import binomial_pair, noise_bit
from panshuffle.dataset import elements
from panshuffle.exact.views import shuffle_histogram
from panshuffle.explorer.subjects import PRINTED, Explored, times
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.question import Letters
from panshuffle.running import Shuffled
from panshuffle.search import Search, Unknown
from panshuffle.setting import Seen


def record(letters: Letters) -> ShuffleHistogram:
    """The histogram on P^zsum."""
    n, k = letters.count("n"), letters.count("k")
    return ShuffleHistogram(n, k, noise_bit(letters, n))


def unknown(search: Search) -> Unknown:
    """The largest p."""
    users, k = search.users(), search.letters.count_or("k", 2)
    return binary_sum.largest_p(search, lambda p: shuffle_histogram.view(k, users, p, search.pool).curve)


CARD = Card(
    name="shuffle-histogram",
    model=Model.SHUFFLE,
    neighbours="one user's element changes",
    letters=("n", "k", "p", "eps", "exp-eps", "delta", "gamma"),
    records=(ShuffleHistogram,),
    record=record,
    universe=lambda record: elements(record.k),
    runner=lambda record: Shuffled.plain(record, record.n * record.k),
    view=lambda record, setting: shuffle_histogram.view(
        record.k, setting.users(record.n), record.p, setting.part.pool, setting.part.direction
    ),
    reference=later("panshuffle.crosscheck.reference.bit_pools", "shuffle_histogram"),
    strategy=lambda: small(ShuffleHistogram, "n", "k", "p"),
    derived=lambda record: {"p": record.p},
    seen=Seen(pools=True),
    k_is_open=lambda letters: True,
    calibration=Calibrated(("n", "k", "gamma"), unknown),
    accuracy=Accuracy(lambda asked: binary_sum.error(asked, asked.letters.count("k")), ("beta", "raw")),
    certificate=lambda record, setting: {"k": record.k, "n": record.n, "gamma": setting.gamma, "p": record.p},
    export=Export(
        lambda record, setting, digits: binomial_pair(setting.users(record.n), record.p, setting.part.pool, digits),
        lambda part: f"{part.ones}, less the others'",
        sizes=lambda record: {"k": record.k},
    ),
    attack=Attack(ones_less_others, lambda record, rows: record.k * 2 * rows),
    explored=Explored(
        7,
        "a histogram, shuffled",
        (("the noise bit", ("n", "k", "p", "gamma")), (PRINTED, ("n", "k", "eps", "delta", "gamma"))),
        lambda letters: f"{times(2, letters['k'])} (2 to each of {letters['k']} pools)",
        needs=("k",),
        defaults=(("n", "10000"), ("p", "1/100")),
    ),
    seconds=0.05,
)
