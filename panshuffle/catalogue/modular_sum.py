"""P_MOD: the sum of bits mod 2 from additive shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb

from panshuffle.card import Accuracy, Attack, Calibrated, Card, Data, Export, Model, pool_table, small
from panshuffle.exact.real import real
from panshuffle.exact.views.distinct_elements import modular_sum_view
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.running import Shuffled

if TYPE_CHECKING:
    from panshuffle.calibrator import CalibrationProblem, Calibrator
    from panshuffle.crosscheck.reference.model import Reference
    from panshuffle.error_law import ErrorLaw, ErrorQuestion
    from panshuffle.exact.curves.calibration import Calibration as Found
    from panshuffle.exact.real import Certified


EXACT_BITS, PRECISION = 20_000, 64
"""Bits of a pool up to which a total variation is a rational, and the precision of its enclosure beyond."""

NO_ERROR = "The shares of a bit sum to it mod 2, so the output is the parity of those who take part, always."


def problem(calibrator: Calibrator) -> CalibrationProblem:
    """The least m."""
    from panshuffle.calibrator import TRIED, CalibrationProblem
    from panshuffle.exact.curves.calibration import Calibration as Found
    from panshuffle.exact.real import Certified

    users, sigma = calibrator.users(), calibrator.sigma if calibrator.sigma is not None else real(0)

    def find() -> Found:
        from panshuffle.exact.pairs.share_distance import least_messages

        found = least_messages(users, sigma)
        fails = None if found.fails is None else fixed(found.fails)
        return Found(Certified.of(found.m), fixed(found.meets), fails)

    return CalibrationProblem("m", find, TRIED)


def error(asked: ErrorQuestion) -> ErrorLaw:
    """There is none."""
    from panshuffle.exact.real import Certified

    goal = asked.goal()
    ModularSum(asked.params.count("n"), asked.params.count("m"))
    return lambda: goal.over_all(lambda alpha: Certified.of(0), lambda beta: 0, NO_ERROR)


def fixed(ball: arb) -> Certified:
    """A total variation that is known to one precision only."""
    from panshuffle.exact.real import Certified

    return Certified(lambda precision: ball, probability=True)


def distance(record: ModularSum, users: int, ones: int | None) -> tuple[Certified, int]:
    """The total variation from the ideal sum on an input with the given number of ones, or on the worst one."""
    from panshuffle.exact.pairs.share_distance import share_tv, share_tv_ball, worst_share_tv, worst_share_tv_ball
    from panshuffle.exact.real import Certified

    if users * record.m <= EXACT_BITS:
        value, where = worst_share_tv(users, record.m) if ones is None else (share_tv(users, ones, record.m), ones)
        return Certified.of(value), where
    if ones is None:
        return fixed(worst_share_tv_ball(users, record.m, PRECISION)), users
    return fixed(share_tv_ball(users, ones, record.m, PRECISION)), ones


def reference(record: ModularSum, data: Data) -> Reference:
    """The exact laws of what a run shows."""
    from panshuffle.crosscheck.reference.parity_pools import modular_sum as laws

    return laws(record, data)


CARD = Card(
    name="modular-sum",
    model=Model.SHUFFLE,
    params=("n", "m", "gamma"),
    records=(ModularSum,),
    record=lambda params: ModularSum(params.count("n"), params.count("m")),
    runner=lambda record: Shuffled.plain(record, record.n * record.m),
    view=lambda record, setting: modular_sum_view(),
    reference=reference,
    small=small(ModularSum, "n", "m"),
    derived=lambda record: {"m": record.m},
    calibration=Calibrated(("n", "gamma"), problem, sigma=True),
    accuracy=Accuracy(error, ("beta",)),
    certificate=lambda record, setting: {"n": record.n, "gamma": setting.gamma, "m": record.m},
    attack=Attack("ones", lambda record, rows: record.m * rows),
    export=Export(
        pool_table(),
        lambda part: "the number of ones, where all others hold 0",
    ),
    distance=distance,
    examples=("calibrate {} --n 10 --sigma 20",),
    seconds=0.1,
)
