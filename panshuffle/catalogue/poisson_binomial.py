"""The Poisson-binomial sum: m copies of a bit a user, each flipped with probability p, shuffled.

It is not in the paper.
"""

from __future__ import annotations

from fractions import Fraction

from panshuffle import card, running
from panshuffle.exact.views.flipped_bits import check_flip, poisson_binomial_view
from panshuffle.protocols.poisson_binomial import PoissonBinomial

FLIPS = "Flipping more often is post-processing, so every p above the one that meets the target meets it too."
UNBIASED = "(ones - Nmp)/(m(1 - 2p)) is unbiased, for the worst number of ones among the data that are covered."
LARGEST, LEAST = Fraction(2**40 - 1, 2**41), Fraction(1, 2**40)
"""Between these flip probabilities the least one is looked for."""


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least p."""
    users, m = calibrator.users(), calibrator.params.count("m")
    return calibrator.least_p(lambda p: poisson_binomial_view(users, m, p).curve, LARGEST, LEAST, FLIPS)


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """The error of the estimate, for the worst number of ones."""
    params, goal = asked.params, asked.goal()
    n, m, p = params.count("n"), params.count("m"), params.real("p")
    check_flip(m, p)
    return lambda: goal.flipped_bits(asked.users(n), m, p, UNBIASED)


CARD = card.Card(
    name="poisson-binomial",
    model=card.Model.SHUFFLE,
    params=("n", "m", "p", "gamma"),
    records=(PoissonBinomial,),
    record=lambda params: PoissonBinomial(params.count("n"), params.count("m"), params.real("p")),
    runner=lambda record: running.shuffled(record, record.n * record.m),
    view=lambda record, setting: poisson_binomial_view(setting.users(record.n), record.m, record.p),
    reference="bit_pools.poisson_binomial",
    calibration=card.Calibrated(("n", "m", "gamma"), problem),
    accuracy=card.Accuracy(error, ("beta",)),
    certificate=lambda record, setting: {"n": record.n, "gamma": setting.gamma, "m": record.m, "p": record.p},
    attack=card.Attack("ones", lambda record, rows: record.m * rows),
    seconds=5.0,
)
