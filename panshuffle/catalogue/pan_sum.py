"""Q_ZSUM: a sum of bits with binomial noise before and after the stream, pan-private."""

from __future__ import annotations

from panshuffle.card import Accuracy, Attack, Calibrated, Card, Export, Model, later, small
from panshuffle.error_law import ErrorLaw, ErrorQuestion, Goal, additive
from panshuffle.exact import parameters as formulas
from panshuffle.exact.errors import shortened
from panshuffle.exact.real import HALF, Real, real
from panshuffle.exact.views import pan_sum
from panshuffle.explorer.subjects import NO_MESSAGES, PRINTED, Explored
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.question import Letters
from panshuffle.report.reported import TightRow
from panshuffle.running import Online
from panshuffle.setting import Seen

NAME = "pan-sum"
binomial_pair = later("panshuffle.exact.views.pair_tables", "binomial_pair")


def noise(letters: Letters) -> int:
    """lam, a whole number."""
    return letters.given_or_printed("lam", letters.count, formulas.lam_pan)


def error(asked: ErrorQuestion, bins: int = 1) -> ErrorLaw:
    """The noise of both draws in each of so many bins."""
    from panshuffle.exact.accuracy.affine_error import pan_sum_error

    lam, raw = noise(asked.letters), asked.question.has("raw")
    goal = asked.goal(lambda beta: real(2 * lam))
    what = "The raw output: the error is Bin(2 lam, 1/2)" if raw else "The output less lam, which is unbiased"
    where = f", independently in each of {bins} bins." if bins > 1 else "."
    paper = printed_error(goal, lam) if raw else None
    return lambda: additive(goal, pan_sum_error(lam, not raw), bins, what + where, paper, "pan-sum-error")


def printed_error(goal: Goal, lam: int) -> Real | None:
    """The raw output is never off by more than 2 lam."""
    if goal.alpha is None:
        return real(2 * lam)
    return real(0) if goal.alpha >= 2 * lam else None


CARD = Card(
    name=NAME,
    model=Model.ONLINE,
    neighbours="one bit of the stream changes",
    letters=("n", "lam", "eps", "exp-eps", "delta"),
    records=(PanSum,),
    record=lambda letters: PanSum(letters.count("n"), noise(letters)),
    runner=Online,
    view=lambda record, setting: pan_sum.view(record.lam, setting.part.direction),
    reference=later("panshuffle.crosscheck.reference.counters", "counters"),
    strategy=lambda: small(PanSum, "n", "bits"),
    derived=lambda record: {"lam": record.lam},
    seen=Seen(shift=True, time=True),
    n_is_open=True,
    calibration=Calibrated(
        ("n",),
        lambda search: search.least("lam", lambda lam: pan_sum.view(lam).curve),
        NAME,
        lambda search, eps, delta: shortened(formulas.lam_pan(eps, delta)),
    ),
    accuracy=Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"lam": record.lam},
    export=Export(
        lambda record, setting, digits: binomial_pair(record.lam, HALF, True, digits),
        lambda part: "the state less the sum of the others' bits",
    ),
    attack=Attack(lambda line, others, pool: [line["state"]], lambda record, rows: 2 * rows),
    explored=Explored(
        5,
        "a sum of bits, pan-private (Q_ZSUM)",
        (("the noise", ("lam",)), (PRINTED, ("eps", "delta"))),
        lambda letters: NO_MESSAGES,
    ),
    reported=(TightRow(2, "noise of the pan-private sum", "calibrate {} --at-eps 1 --at-delta 1e-6"),),
)
