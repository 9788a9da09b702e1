"""The example of section 2.3: two sums of randomized bits, with labels, shuffled."""

from __future__ import annotations

from fractions import Fraction

from panshuffle import card, running
from panshuffle.dataset import PAIRS
from panshuffle.exact.views.flipped_bits import two_bit_sum_view
from panshuffle.protocols.two_bit_sum import TwoBitSum
from panshuffle.question import ONES, Seen

BOTH = (
    "The larger error of the two sums; (ones - np)/(1 - 2p) is unbiased, for the worst numbers of ones among the data "
    "that are covered."
)
BIASED = f"{BOTH[:-1]}, where nobody is missing: np is taken off whoever takes part."
FLIPS = "The least value: flipping more often is post-processing, so every larger value meets the target too."


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least p, from 1/2 down."""
    users, pool = calibrator.users(), calibrator.pool
    return calibrator.least_p(lambda p: two_bit_sum_view(users, p, pool).curve, Fraction(1, 2), Fraction(0), FLIPS)


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """The larger one of the errors of both sums."""
    params, goal = asked.params, asked.goal()
    n, p = params.count("n"), params.real("p")
    TwoBitSum(n, p).check_estimate()
    users = asked.users(n)
    return lambda: goal.flipped_bits(users, 1, p, BOTH if users == n else BIASED, bins=2, absent=n - users)


CARD = card.Card(
    name="two-bit-sum",
    model=card.Model.SHUFFLE,
    params=("n", "p", "gamma"),
    records=(TwoBitSum,),
    record=lambda params: TwoBitSum(params.count("n"), params.real("p")),
    universe=lambda record: PAIRS,
    width=2,
    runner=lambda record: running.shuffled(record, record.n),
    view=lambda record, setting: two_bit_sum_view(setting.users(record.n), record.p, setting.selection.pool),
    reference="bit_pools.two_bit_sum",
    derived=lambda record: {"p": record.p},
    seen=Seen(pools=True, symmetric=True),
    calibration=card.Calibrated(("n", "gamma"), problem),
    accuracy=card.Accuracy(error, ("beta",)),
    certificate=lambda record, setting: {"n": record.n, "gamma": setting.gamma, "p": record.p},
    attack=card.Attack("ones", lambda record, rows: 2 * rows),
    export=card.Export(
        card.pool_table(2, both=True), lambda part: ONES if part.pool else f"{ONES} in each pool", holders=True
    ),
    seconds=10.0,
)
