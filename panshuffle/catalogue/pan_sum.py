"""Q_ZSUM: a sum of bits with binomial noise before and after the stream, pan-private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exact import parameters as formulas
from exact.numbers.real import HALF, Real, real
from exact.views import pan_sum
from panshuffle.card import Accuracy, Attack, Calibrated, Card, Export, Model, later
from panshuffle.dataset import BITS
from panshuffle.explorer.subjects import NO_MESSAGES, PRINTED, Explored
from panshuffle.question import Letters
from panshuffle.report.reported import TightRow
from panshuffle.running import Line, Online
from panshuffle.search import MORE_NOISE, Search, Unknown
from panshuffle.setting import Seen, Setting
from protocols.pan_sum import PanSum

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from exact.curves.law_pair import LawPair
    from panshuffle.error_law import ErrorLaw, ErrorQuestion, Goal

NAME = "pan-sum"


def noise(letters: Letters) -> int:
    """lam, a whole number."""
    return letters.given_or_printed("lam", letters.count, formulas.lam_pan)


def unknown(search: Search) -> Unknown:
    """The least lam."""
    return Unknown("lam", lambda: search.integer(lambda lam: pan_sum.view(lam).curve), MORE_NOISE)


def printed(search: Search, eps: Real, delta: Real) -> str:
    """The printed lam."""
    return str(formulas.lam_pan(eps, delta))


def error(asked: ErrorQuestion, bins: int = 1) -> ErrorLaw:
    """The noise of both draws in each of so many bins."""
    from exact.accuracy.binary_sum import pan_sum_error
    from panshuffle.error_law import additive

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


def exported(record: PanSum, setting: Setting, digits: int | None) -> tuple[LawPair, str]:
    """The shifted laws of the state."""
    from exact.views.pair_tables import binomial_pair

    return binomial_pair(record.lam, HALF, True, digits), "the state less the sum of the others' bits"


def strategy() -> SearchStrategy[PanSum]:
    """Small ones."""
    from hypothesis import strategies as st

    from panshuffle.strategies import users

    return st.builds(PanSum, users(), st.integers(1, 40))


def state_alone(line: Line, others: object, pool: bool) -> list[int]:
    """The state; the others hold 0."""
    return [line["state"]]


CARD = Card(
    name=NAME,
    model=Model.ONLINE,
    neighbours="one bit of the stream changes",
    letters=("n", "lam", "eps", "exp-eps", "delta"),
    records=(PanSum,),
    record=lambda letters: PanSum(letters.count("n"), noise(letters)),
    universe=lambda record: BITS,
    runner=Online,
    view=lambda record, setting: pan_sum.view(record.lam, setting.part.direction),
    reference=later("crosscheck.reference.counters", "counters"),
    strategy=strategy,
    derived=lambda record: {"lam": record.lam},
    seen=Seen(shift=True, time=True),
    n_is_open=True,
    calibration=Calibrated(("n",), unknown, NAME, printed),
    accuracy=Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"lam": record.lam},
    export=Export(exported),
    attack=Attack(state_alone, lambda record, rows: 2 * rows),
    explored=Explored(
        5,
        "a sum of bits, pan-private (Q_ZSUM)",
        (("the noise", ("lam",)), (PRINTED, ("eps", "delta"))),
        lambda letters: NO_MESSAGES,
    ),
    reported=(TightRow(2, "noise of the pan-private sum", "calibrate {} --at-eps 1 --at-delta 1e-6"),),
)
