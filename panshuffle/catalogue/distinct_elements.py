"""P_DE: the number of distinct elements, from one noisy OR for each element, shuffled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from panshuffle.card import Accuracy, Attack, Calibrated, Card, Data, Export, Model, small
from panshuffle.dataset import elements
from panshuffle.exact import parameters as formulas
from panshuffle.exact.curves.curve import Curve, View
from panshuffle.exact.errors import InputError, ParameterError
from panshuffle.exact.parameters import honest_users
from panshuffle.exact.real import Real
from panshuffle.exact.views.distinct_elements import distinct_elements_view, paper_bound
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.question import Seen, Setting
from panshuffle.running import Shuffled

if TYPE_CHECKING:
    from panshuffle.crosscheck.reference.model import Reference
    from panshuffle.error_law import ErrorLaw, ErrorQuestion
    from panshuffle.exact.curves.law_pair import LawPair
    from panshuffle.question import Letters, Setting
    from panshuffle.search import Search, Unknown


NAME = "distinct-elements"


WHY_ERROR = (
    "The exact law: C is a sum of D fair bits and k - D bits that are 1 with probability (1 - (1-e^-eps)^gamma)/2."
)
DE_LETTERS = ("n", "k", "eps", "exp-eps", "q", "delta", "m")


def shares(letters: Letters, n: int, eps: Real) -> int:
    """m: as given, the paper's comment, or what delta needs."""
    if not letters.has("m"):
        return formulas.messages(eps, letters.delta(" (or --m)"))
    if letters.text("m") == "paper":
        return formulas.messages_in_comment(n, eps, letters.delta(" for --m paper"))
    if letters.has("delta"):
        letters.delta()
    return letters.count("m")


def record(letters: Letters) -> DistinctElements:
    """P_DE."""
    n, k = letters.count("n"), letters.count("k")
    eps = letters.epsilon(n)
    return DistinctElements(n, k, eps, shares(letters, n, eps))


def messages(record: DistinctElements) -> int:
    """How many there are in a run."""
    return record.n * record.k * record.m


def view(record: DistinctElements, setting: Setting) -> View:
    """The pools of the two elements."""
    part, letters = setting.part, setting.letters
    users = honest_users(record.n, setting.gamma)
    found = distinct_elements_view(
        record.n, users, record.k, record.eps, record.m, part.pool, part.direction, part.holders
    )
    if part.pool or not letters.has("delta"):
        return found
    return replace(found, paper=paper_bound(record.eps, letters.real("delta"), setting.gamma.constant))


def unknown(search: Search) -> Unknown:
    """The least m at a given eps, or the largest eps at a given m."""
    n, users = search.letters.count("n"), search.users()
    k = search.letters.count_or("k", 3)
    return messages_or_epsilon(
        search, n, k, lambda eps, m: distinct_elements_view(n, users, k, eps, m, search.pool).curve
    )


def messages_or_epsilon(search: Search, n: int, k: int, curve_at: Callable[[Real, int], Curve]) -> Unknown:
    """The unknown of P_DE in its curve: m, or eps where m is given."""
    from panshuffle.search import NO_NEIGHBOURS, TRIED, Unknown

    if k == 1:
        raise InputError(NO_NEIGHBOURS)
    if search.letters.has("m"):
        search.letters.check_known(("n", "k", "m", "c", "gamma"))
        m = search.letters.count("m")
        return search.largest_eps(lambda eps: curve_at(eps, m))
    eps = search.letters.epsilon(n)
    return Unknown("m", lambda: search.first(lambda m: curve_at(eps, m)), TRIED)


def ignore_messages(letters: Letters) -> None:
    """m and delta, which have no influence on the estimate: checked, and left aside."""
    if letters.has("delta"):
        letters.delta()
    if letters.has("m") and letters.text("m") != "paper":
        letters.count("m")


def error(asked: ErrorQuestion) -> ErrorLaw:
    """The estimate's error for so many distinct elements, or for the worst number of them."""
    from panshuffle.error_law import over_cases
    from panshuffle.exact.accuracy import distinct_elements as accuracy

    letters, gamma = asked.letters, asked.gamma
    n = letters.count("n") if letters.has("n") else None
    k, eps = letters.count("k"), letters.epsilon(n)
    ignore_messages(letters)
    users = k if n is None else asked.users(n)
    goal = asked.goal(partial(accuracy.paper_alpha, k, eps))
    counts, corrected = asked.counts(min(k, users)), asked.question.has("corrected")
    paper = goal.bound(partial(accuracy.paper_alpha, k, eps), partial(accuracy.paper_beta, k, eps))
    paper = paper if gamma.fraction == 1 else None
    cases = partial(accuracy.distinct_cases, k, counts, eps, gamma, corrected)
    return lambda: over_cases(asked, goal, cases(), WHY_ERROR, paper, "distinct-accuracy")


def certificate(record: DistinctElements, setting: Setting) -> dict[str, Real | int]:
    """The letters, with q in place of eps where that is rational."""
    q = 1 - 2 * record.p_prime
    letters: dict[str, Real | int] = {"k": record.k, "n": record.n, "gamma": setting.gamma, "m": record.m}
    return letters | ({"eps": record.eps} if q.fraction is None else {"q": q})


def exported(record: DistinctElements, setting: Setting, digits: int | None) -> LawPair:
    """The pools in the given background."""
    users, (holders, pool) = setting.users(record.n), setting.part.background
    if record.k == 2 and len(holders) == 2 and sum(holders) != users - 1:
        raise ParameterError("holders", f"{holders[0]},{holders[1]}", f"two counts with sum {users - 1} (k = 2)")
    from panshuffle.exact.views.pair_tables import parity_pair

    found: LawPair = parity_pair(users, record.m, 1 - 2 * record.p_prime, holders, pool, digits)
    return found


def reference(record: DistinctElements, data: Data) -> Reference:
    """The exact laws of what a run shows."""
    from panshuffle.crosscheck.reference.parity_pools import distinct_elements as laws

    return laws(record, data)


CARD = Card(
    name=NAME,
    model=Model.SHUFFLE,
    neighbours="one user's element changes",
    letters=(*DE_LETTERS, "gamma"),
    records=(DistinctElements,),
    record=record,
    universe=lambda record: elements(record.k),
    runner=lambda record: Shuffled.plain(record, messages(record)),
    view=view,
    reference=reference,
    small=small(DistinctElements, "n", "k", "eps", "m"),
    derived=lambda record: {"m": record.m},
    seen=Seen(pools=True, holders=True),
    k_is_open=lambda letters: True,
    calibration=Calibrated(("n", "k", "m", "eps", "exp-eps", "q", "gamma"), unknown),
    accuracy=Accuracy(error, ("beta", "distinct", "corrected")),
    certificate=certificate,
    export=Export(exported, lambda part: part.ones, holders=True, sizes=lambda record: {"k": record.k}),
    attack=Attack("ones", lambda record, rows: record.k * rows * record.m),
    examples=("accuracy {} --k 16 --exp-eps 2 --beta 1/10",),
    seconds=1.0,
    slower_with_users=True,
)
