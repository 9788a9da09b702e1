"""P_DE: the number of distinct elements, from one noisy OR for each element, shuffled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from panshuffle import card, running
from panshuffle.dataset import elements
from panshuffle.exact import parameters as formulas
from panshuffle.exact.curves.curve import Curve, View
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.real import Real
from panshuffle.exact.views.distinct_elements import distinct_elements_view, paper_bound
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.question import Params, Seen, Setting

if TYPE_CHECKING:
    from panshuffle.exact.curves.law_pair import LawPair


WHY_ERROR = (
    "The exact law: C is a sum of D fair bits and k - D bits that are 1 with probability (1 - (1-e^-eps)^gamma)/2."
)
DE_PARAMS = ("n", "k", "eps", "exp-eps", "q", "delta", "m")


def shares(params: Params, n: int, eps: Real) -> int:
    """m: as given, the paper's comment, or what delta needs."""
    if not params.has("m"):
        return formulas.messages(eps, params.delta(" (or --m)"))
    if params.text("m") == "paper":
        return formulas.messages_in_comment(n, eps, params.delta(" for --m paper"))
    if params.has("delta"):
        params.delta()
    return params.count("m")


def record(params: Params) -> DistinctElements:
    """P_DE."""
    n, k = params.count("n"), params.count("k")
    eps = params.epsilon(n)
    return DistinctElements(n, k, eps, shares(params, n, eps))


def messages(record: DistinctElements) -> int:
    """How many there are in a run."""
    return record.n * record.k * record.m


def view(record: DistinctElements, setting: Setting) -> View:
    """The pools of the two elements."""
    part, params = setting.selection, setting.params
    users = honest_users(record.n, setting.gamma)
    found = distinct_elements_view(
        record.n, users, record.k, record.eps, record.m, part.pool, part.direction, part.holders
    )
    if part.pool or not params.has("delta"):
        return found
    return replace(found, paper=paper_bound(record.eps, params.real("delta"), setting.gamma.constant))


def problem(calibrator: card.Calibrator) -> card.CalibrationProblem:
    """The least m at a given eps, or the largest eps at a given m."""
    n, users = calibrator.params.count("n"), calibrator.users()
    k = calibrator.params.count_or("k", 3)
    return messages_or_epsilon(
        calibrator, n, k, lambda eps, m: distinct_elements_view(n, users, k, eps, m, calibrator.pool).curve
    )


def messages_or_epsilon(
    calibrator: card.Calibrator, n: int, k: int, curve_at: Callable[[Real, int], Curve]
) -> card.CalibrationProblem:
    """The unknown of P_DE in its curve: m, or eps where m is given."""
    calibrator.check_neighbours(k)
    if calibrator.params.has("m"):
        calibrator.params.check_known(("n", "k", "m", "c", "gamma"))
        m = calibrator.params.count("m")
        return calibrator.largest_eps(lambda eps: curve_at(eps, m))
    eps = calibrator.params.epsilon(n)
    return calibrator.first_m(lambda m: curve_at(eps, m))


def ignore_messages(params: Params) -> None:
    """m and delta, which have no influence on the estimate: checked, and left aside."""
    if params.has("delta"):
        params.delta()
    if params.has("m") and params.text("m") != "paper":
        params.count("m")


def error(asked: card.ErrorQuestion) -> card.ErrorLaw:
    """The estimate's error for this many distinct elements, or for the worst number of them."""
    from panshuffle.exact.accuracy import estimates as accuracy

    params, gamma = asked.params, asked.gamma
    n = params.count("n") if params.has("n") else None
    k, eps = params.count("k"), params.epsilon(n)
    ignore_messages(params)
    users = k if n is None else asked.users(n)
    goal = asked.goal(partial(accuracy.paper_alpha, k, eps))
    counts, corrected = asked.counts(min(k, users)), asked.question.has("corrected")
    paper = goal.bound(partial(accuracy.paper_alpha, k, eps), partial(accuracy.paper_beta, k, eps))
    paper = paper if gamma.fraction == 1 else None
    cases = partial(accuracy.distinct_cases, k, counts, eps, gamma, corrected)
    return lambda: goal.over_cases(cases(), WHY_ERROR, paper, "distinct-accuracy")


def certificate(record: DistinctElements, setting: Setting) -> dict[str, Real | int]:
    """The parameters, with q in place of eps where that is rational."""
    q = 1 - 2 * record.p_prime
    params: dict[str, Real | int] = {"k": record.k, "n": record.n, "gamma": setting.gamma, "m": record.m}
    return params | ({"eps": record.eps} if q.fraction is None else {"q": q})


def exported(record: DistinctElements, setting: Setting, digits: int | None) -> LawPair:
    """The pools in the given background."""
    users, (holders, _) = setting.users(record.n), setting.selection.background
    if record.k == 2 and len(holders) == 2 and sum(holders) != users - 1:
        raise ParameterError("holders", f"{holders[0]},{holders[1]}", f"two counts with sum {users - 1} (k = 2)")
    return card.pool_table(2)(record, setting, digits)


CARD = card.Card(
    name="distinct-elements",
    model=card.Model.SHUFFLE,
    params=(*DE_PARAMS, "gamma"),
    records=(DistinctElements,),
    record=record,
    universe=lambda record: elements(record.k),
    runner=lambda record: running.shuffled(record, messages(record)),
    view=view,
    reference="parity_pools.distinct_elements",
    derived=lambda record: {"m": record.m},
    seen=Seen(pools=True, holders=True),
    k_is_open=lambda params: True,
    calibration=card.Calibrated(("n", "k", "m", "eps", "exp-eps", "q", "gamma"), problem),
    accuracy=card.Accuracy(error, ("beta", "distinct", "corrected")),
    certificate=certificate,
    export=card.Export(exported, lambda part: part.ones, holders=True, sizes=lambda record: {"k": record.k}),
    attack=card.Attack("ones", lambda record, rows: record.k * rows * record.m),
    examples=("accuracy {} --k 16 --exp-eps 2 --beta 1/10",),
    seconds=1.0,
)
