"""P^zsum of Balcer and Cheu: a sum of bits from the bits and one noise bit a user, shuffled."""

from __future__ import annotations

from panshuffle import card, running
from panshuffle.exact import parameters as formulas
from panshuffle.exact.real import Certified, Real
from panshuffle.exact.views.binomial import binary_sum_view
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.question import Params, Seen

RAW = "The raw output max(0, ones - n), for the worst data: a bin that holds S ones is never off by more than S."


def noise_bit(params: Params, n: int) -> Real:
    """p."""
    return params.given_or_printed("p", params.real, lambda eps, delta: formulas.zsum_probability(n, eps, delta))


def record(params: Params) -> BinarySum:
    """P^zsum."""
    n = params.count("n")
    return BinarySum(n, noise_bit(params, n))


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The largest p."""
    users = calibrator.users()
    return calibrator.largest_p(lambda p: binary_sum_view(users, p).curve)


def printed(calibrator: card.Calibrator, eps: Real, delta: Real) -> str:
    """p for the users who take part."""
    return Certified.of(formulas.zsum_probability(calibrator.users(), eps, delta)).enclosure(6)[0]


def error(asked: card.ErrorQuestion, bins: int = 1) -> card.ErrorLaw:
    """The noise in each of the given number of bins, de-biased or cut off at 0 as in the protocol."""
    from panshuffle.exact.accuracy.estimates import ClippedSum, noise_error

    n = asked.params.count("n")
    p, users, goal = noise_bit(asked.params, n), asked.users(n), asked.goal()
    asked.probability(p)
    if not asked.question.has("raw"):
        what = "The ones less Np, N the number of users that the messages show: unbiased, and not cut off at 0."
        return lambda: goal.additive(noise_error(users, p, True), bins, what)

    clipped = ClippedSum(n, users, p, bins)
    return lambda: goal.over_all(clipped.chance, clipped.least_alpha, RAW)


CARD = card.Card(
    name="binary-sum",
    model=card.Model.SHUFFLE,
    params=("n", "p", "eps", "exp-eps", "delta", "gamma"),
    records=(BinarySum,),
    record=record,
    runner=lambda record: running.shuffled(record, record.n),
    view=lambda record, setting: binary_sum_view(setting.users(record.n), record.p, setting.selection.direction),
    reference="bit_pools.binary_sum",
    derived=lambda record: {"p": record.p},
    seen=Seen(shift=True),
    calibration=card.Calibrated(("n", "gamma"), problem, "robust-binary-sum", printed),
    accuracy=card.Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"n": record.n, "gamma": setting.gamma, "p": record.p},
    export=card.Export(card.pool_table(), lambda part: "the number of ones, less the others'"),
    attack=card.Attack("ones less others", lambda record, rows: 2 * rows),
    examples=(
        "sample {} --n 6 --p 1/3 --ones 2 --runs 1000 --messages -o runs.jsonl",
        "crosscheck {} --n 6 --p 1/3 --ones 2 --samples runs.jsonl",
        "analyze {} --n 6 --p 1/3 --input messages.jsonl",
    ),
)
