"""The binomial mechanism: a 1-sensitive count plus Bin(l, p), at a trusted curator."""

from __future__ import annotations

from panshuffle import card
from panshuffle.exact import parameters as formulas
from panshuffle.exact.errors import shortened
from panshuffle.exact.parameters import check_open_unit
from panshuffle.exact.real import HALF, Real
from panshuffle.exact.views.binomial import binomial_view
from panshuffle.protocols.binomial import Binomial
from panshuffle.question import Params, Seen


def noise(params: Params) -> tuple[int, Real]:
    """l and p."""
    p = params.real_or("p", HALF)
    coins = params.given_or_printed(
        "l", lambda parameter: params.count(parameter, 0), lambda eps, delta: formulas.binomial_coins(p, eps, delta)
    )
    return coins, p


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least l."""
    p = calibrator.params.real_or("p", HALF)
    check_open_unit("p", p)
    return calibrator.least("l", lambda l: binomial_view(l, p).curve, 0)


def printed(calibrator: card.Calibrator, eps: Real, delta: Real) -> str:
    """l of Lemma b_noise."""
    return shortened(formulas.binomial_coins(calibrator.params.real_or("p", HALF), eps, delta))


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """The noise, de-biased or not."""
    from panshuffle.exact.accuracy.estimates import noise_error

    coins, p = noise(asked.params)
    asked.probability(p)
    raw, goal = asked.question.has("raw"), asked.goal()
    what = "The raw output: the error is Bin(l, p)." if raw else "The output less l p, which is unbiased."
    return lambda: goal.additive(noise_error(coins, p, not raw), 1, what)


CARD = card.Card(
    name="binomial",
    model=card.Model.CENTRAL,
    params=("n", "l", "p", "eps", "exp-eps", "delta"),
    records=(Binomial,),
    record=lambda params: Binomial(params.count("n"), *noise(params)),
    view=lambda record, setting: binomial_view(record.l, record.p, setting.selection.direction),
    reference="released.binomial_mechanism",
    derived=lambda record: {"p": record.p, "l": record.l},
    seen=Seen(shift=True),
    n_is_open=True,
    calibration=card.Calibrated(("n", "p"), problem, "binomial-mechanism", printed),
    accuracy=card.Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"l": record.l, "p": record.p},
    export=card.Export(card.pool_table(), lambda part: "the output less f"),
    attack=card.Attack("output", lambda record, rows: 2 * rows),
    examples=(
        "attack {} --l 80 --at-eps 1",
        "curve {} --l 80 --from 0 --to 2 -o curve.svg",
        "export {} --l 20 -o pair.json",
    ),
)
