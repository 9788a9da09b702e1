"""Q_ZSUM: a sum of bits with binomial noise before and after the stream, pan-private."""

from __future__ import annotations

from panshuffle import card, running
from panshuffle.exact import parameters as formulas
from panshuffle.exact.errors import shortened
from panshuffle.exact.real import Real, real
from panshuffle.exact.views.binomial import pan_sum_view
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.question import Params, Seen


def noise(params: Params) -> int:
    """lam, a whole number."""
    return params.given_or_printed("lam", params.count, formulas.lam_pan)


def error(asked: card.ErrorQuestion, bins: int = 1) -> card.ErrorLaw:
    """The noise of both draws in each of the given number of bins."""
    from panshuffle.exact.accuracy.estimates import pan_sum_error

    lam, raw = noise(asked.params), asked.question.has("raw")
    goal = asked.goal(lambda beta: real(2 * lam))
    what = "The raw output: the error is Bin(2 lam, 1/2)" if raw else "The output less lam, which is unbiased"
    where = f", independently in each of {bins} bins." if bins > 1 else "."
    paper = printed_error(goal, lam) if raw else None
    return lambda: goal.additive(pan_sum_error(lam, not raw), bins, what + where, paper, "pan-sum-error")


def printed_error(goal: card.Goal, lam: int) -> Real | None:
    """The raw output is never off by more than 2 lam."""
    if goal.alpha is None:
        return real(2 * lam)
    return real(0) if goal.alpha >= 2 * lam else None


CARD = card.Card(
    name="pan-sum",
    model=card.Model.ONLINE,
    params=("n", "lam", "eps", "exp-eps", "delta"),
    records=(PanSum,),
    record=lambda params: PanSum(params.count("n"), noise(params)),
    runner=running.online,
    view=lambda record, setting: pan_sum_view(record.lam, setting.selection.direction),
    reference="counters.counters",
    derived=lambda record: {"lam": record.lam},
    seen=Seen(shift=True, time=True),
    n_is_open=True,
    calibration=card.Calibrated(
        ("n",),
        lambda calibrator: calibrator.least("lam", lambda lam: pan_sum_view(lam).curve),
        "pan-sum",
        lambda calibrator, eps, delta: shortened(formulas.lam_pan(eps, delta)),
    ),
    accuracy=card.Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"lam": record.lam},
    export=card.Export(card.pool_table(), lambda part: "the state less the sum of the others' bits"),
    attack=card.Attack("state", lambda record, rows: 2 * rows),
)
