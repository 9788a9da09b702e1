"""The central randomized OR that P_DE simulates, in one trusted hand."""

from __future__ import annotations

from exact.views import randomized_or
from panshuffle.card import Attack, Calibrated, Card, Export, Model, later, small
from panshuffle.dataset import BITS
from panshuffle.running import Central
from panshuffle.setting import Seen
from protocols.randomized_or import RandomizedOr

or_pair = later("exact.views.pair_tables", "or_pair")


CARD = Card(
    name="randomized-or",
    model=Model.CENTRAL,
    neighbours="one user's bit changes",
    letters=("n", "eps", "exp-eps"),
    records=(RandomizedOr,),
    record=lambda letters: RandomizedOr(letters.count("n"), letters.epsilon()),
    universe=lambda record: BITS,
    runner=lambda record: Central(record.n, record.release),
    view=lambda record, setting: randomized_or.view(record.eps, setting.part.direction),
    reference=later("crosscheck.reference.released", "randomized_or"),
    strategy=lambda: small(RandomizedOr, "n", "eps"),
    seen=Seen(shift=True),
    certificate=lambda record, setting: {"n": record.n, "eps": record.eps},
    attack=Attack(lambda line, others, pool: [line["output"]], lambda record, rows: 2 * rows),
    n_is_open=True,
    calibration=Calibrated(("n",), lambda search: search.largest_eps(lambda eps: randomized_or.view(eps).curve)),
    export=Export(lambda record, setting, digits: (or_pair(record.eps), "the output")),
)
