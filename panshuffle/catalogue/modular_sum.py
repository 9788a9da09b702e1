"""P_MOD: the sum of bits mod 2 from additive shares."""

from __future__ import annotations

from flint import arb

from panshuffle import card, running
from panshuffle.exact.real import Certified, real
from panshuffle.exact.views.distinct_elements import modular_sum_view
from panshuffle.protocols.modular_sum import ModularSum

EXACT_BITS, PRECISION = 20_000, 64
"""Bits of a pool up to which a total variation is a rational, and the precision of its enclosure beyond."""

NO_ERROR = "The shares of a bit sum to it mod 2, so the output is the parity of those who take part, always."


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least m."""
    from panshuffle.exact.curves.calibration import Calibration

    users, sigma = calibrator.users(), calibrator.sigma if calibrator.sigma is not None else real(0)

    def find() -> Calibration:
        from panshuffle.exact.pairs.share_distance import least_messages

        found = least_messages(users, sigma)
        fails = None if found.fails is None else fixed(found.fails)
        return Calibration(Certified.of(found.m), fixed(found.meets), fails)

    return card.CalibrationProblem("m", find, card.TRIED)


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """There is none."""
    goal = asked.goal()
    ModularSum(asked.params.count("n"), asked.params.count("m"))
    return lambda: goal.over_all(lambda alpha: Certified.of(0), lambda beta: 0, NO_ERROR)


def fixed(ball: arb) -> Certified:
    """A total variation that is known to one precision only."""
    return Certified(lambda precision: ball, probability=True)


def distance(record: ModularSum, users: int, ones: int | None) -> tuple[Certified, int]:
    """The total variation from the ideal sum on an input with the given number of ones, or on the worst one."""
    from panshuffle.exact.pairs.share_distance import share_tv, share_tv_ball, worst_share_tv, worst_share_tv_ball

    if users * record.m <= EXACT_BITS:
        value, where = worst_share_tv(users, record.m) if ones is None else (share_tv(users, ones, record.m), ones)
        return Certified.of(value), where
    if ones is None:
        return fixed(worst_share_tv_ball(users, record.m, PRECISION)), users
    return fixed(share_tv_ball(users, ones, record.m, PRECISION)), ones


CARD = card.Card(
    name="modular-sum",
    model=card.Model.SHUFFLE,
    params=("n", "m", "gamma"),
    records=(ModularSum,),
    record=lambda params: ModularSum(params.count("n"), params.count("m")),
    runner=lambda record: running.shuffled(record, record.n * record.m),
    view=lambda record, setting: modular_sum_view(),
    reference="parity_pools.modular_sum",
    derived=lambda record: {"m": record.m},
    calibration=card.Calibrated(("n", "gamma"), problem, sigma=True),
    accuracy=card.Accuracy(error, ("beta",)),
    certificate=lambda record, setting: {"n": record.n, "gamma": setting.gamma, "m": record.m},
    attack=card.Attack("ones", lambda record, rows: record.m * rows),
    export=card.Export(card.pool_table(), lambda part: "the number of ones, where all others hold 0"),
    distance=distance,
    examples=("calibrate {} --n 10 --sigma 20",),
    seconds=0.1,
)
