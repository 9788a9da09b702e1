"""Q_P on P_DE: the robust shuffle counter as an online algorithm with dummy 1s, pan-private."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from panshuffle import card, running
from panshuffle.catalogue import distinct_elements
from panshuffle.catalogue.distinct_elements import DE_PARAMS, ignore_messages, messages, messages_or_epsilon
from panshuffle.dataset import Datum, elements
from panshuffle.exact.curves.curve import View
from panshuffle.exact.errors import CertificateError, ParameterError
from panshuffle.exact.parameters import blocks
from panshuffle.exact.real import Real
from panshuffle.exact.views.distinct_elements import pan_distinct_elements_view, paper_bound
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.pan_distinct_elements import DUMMY, PanDistinctElements
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.question import Params, Seen, Setting
from panshuffle.running import Line, Play

WHY_ERROR = "The dummies hold the element 1: the worse of the streams with and without a 1 of their own is covered."


def record(params: Params) -> PanDistinctElements:
    """Q_P on P_DE."""
    return PanDistinctElements(distinct_elements.record(params))


def within(record: PanDistinctElements) -> DistinctElements:
    """P_DE, which is transformed."""
    assert isinstance(record.protocol, DistinctElements)
    return record.protocol


def view(record: PanDistinctElements, setting: Setting) -> View:
    """The view; Theorem de_upper is for a third of the users."""
    inner, params = within(record), setting.params
    found = pan_distinct_elements_view(inner.n, inner.k, inner.eps, inner.m, setting.selection.t)
    if not params.has("delta"):
        return found
    return replace(found, paper=paper_bound(inner.eps, params.real("delta"), Fraction(1, 3)))


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The unknown of P_DE, in the state with the first dummies."""
    n, k = calibrator.params.count("n"), calibrator.params.count_or("k", 3)
    return messages_or_epsilon(calibrator, n, k, lambda eps, m: pan_distinct_elements_view(n, k, eps, m).curve)


def certificate(record: PanDistinctElements, setting: Setting) -> dict[str, Real | int]:
    """The parameters of P_DE, for the worst time.  *Raises* `CertificateError` for another."""
    if setting.selection.t is not None:
        raise CertificateError("no certificate with --t: the worst time has one")
    params = distinct_elements.certificate(within(record), setting)
    return {parameter: value for parameter, value in params.items() if parameter != "gamma"}


def first_state(record: PanDistinctElements, watched: tuple[int, int]) -> running.Runner:
    """The algorithm, of which the state after the first element is shown: the pools of two elements, in their order."""
    runner = running.transformed(record, messages(within(record)))

    def shows(data: Sequence[Datum], coins: Coins, messages: bool, t: int | None) -> Line:
        pools = runner.once(data, coins, t=1)["state"]["pools"]
        return {"pools": {str(element): pools[str(element)] for element in watched}}

    return replace(runner, shows=shows)


def play(record: PanDistinctElements, rows: int, holders: Sequence[int]) -> Play:
    """The state with the first element, where the others are the dummies, all of whom hold one of both or neither."""
    first, second = holders
    watched = (DUMMY, 2) if first else (2, DUMMY) if second else (2, 3)
    runner = first_state(record, watched)
    known = (
        f", first in the stream; the state is seen after it; its dummies ({blocks(within(record).n)[0]}) hold {DUMMY}"
    )
    return Play(runner, "element", watched, [DUMMY] * (rows - 1), known)


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """The estimate's error with the dummies."""
    from panshuffle.exact.accuracy import estimates as accuracy

    params = asked.params
    n, k = params.count("n"), params.count("k")
    eps, length = params.epsilon(n), n // 3
    ignore_messages(params)
    if length < 1:
        raise ParameterError("n", n, "at least 3, so that the stream has an element")
    goal = asked.goal(partial(accuracy.paper_alpha, k, eps))
    counts = asked.counts(min(k, length))
    return lambda: goal.over_cases(accuracy.transformed_cases(k, counts, eps), WHY_ERROR)


def transformed(n: int, k: int, eps: Real, m: int) -> PanDistinctElements:
    """The transformation of P_DE."""
    return PanDistinctElements(DistinctElements(n, k, eps, m))


CARD = card.Card(
    name="pan-distinct-elements",
    model=card.Model.ONLINE,
    params=DE_PARAMS,
    records=(PanDistinctElements,),
    record=record,
    universe=lambda record: elements(within(record).k),
    runner=lambda record: running.transformed(record, messages(within(record))),
    view=view,
    reference="transformed.pan_distinct_elements",
    derived=lambda record: {"m": within(record).m},
    seen=Seen(time=True),
    certificate=certificate,
    k_is_open=lambda params: True,
    rows_tell_n=False,
    calibration=card.Calibrated(("n", "k", "m", "eps", "exp-eps", "q"), problem),
    accuracy=card.Accuracy(error, ("beta", "distinct")),
    attack=card.Attack("ones", lambda record, rows: within(record).k * within(record).n * within(record).m, play=play),
    exported_instead=distinct_elements.CARD.name,
    seconds=1.0,
)
