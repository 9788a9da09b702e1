"""Q_P on P_DE: the robust shuffle counter as an online algorithm with dummy 1s, pan-private."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from exact.curves.curve import View
from exact.errors import ParameterError
from exact.views import pan_distinct_elements
from exact.views.distinct_elements import paper_bound
from panshuffle.card import Accuracy, Calibrated, Card, Model, later
from panshuffle.catalogue import distinct_elements
from panshuffle.catalogue.distinct_elements import DE_LETTERS, ignore_messages, messages_or_epsilon
from panshuffle.dataset import elements
from panshuffle.question import Letters
from panshuffle.running import Line, Online, labelled
from panshuffle.search import Search, Unknown
from panshuffle.setting import Seen, Setting
from protocols.distinct_elements import DistinctElements
from protocols.model.shuffle import Labelled
from protocols.model.transformation import in_random_order
from protocols.pan_distinct_elements import PanDistinctElements
from protocols.randomness.coins import Coins

if TYPE_CHECKING:
    import numpy as np
    from hypothesis.strategies import SearchStrategy

    from panshuffle.error_law import ErrorLaw, ErrorQuestion

NAME = "pan-distinct-elements"
WHY_ERROR = "The dummies hold the element 1: the worse of the streams with and without a 1 of their own is covered."


def record(letters: Letters) -> PanDistinctElements:
    """Q_P on P_DE."""
    return PanDistinctElements(distinct_elements.record(letters))


def within(record: PanDistinctElements) -> DistinctElements:
    """P_DE, which is transformed."""
    assert isinstance(record.protocol, DistinctElements)
    return record.protocol


def runner(record: PanDistinctElements) -> Online:
    """The algorithm; a state is shown as its pools."""
    inner = within(record)

    def state(messages: Counter[Labelled], coins: Coins) -> Line:
        return {"pools": labelled(inner.count_pools(in_random_order(messages, coins)))}

    def transformed(stream: Sequence[int], t: int, generator: np.random.Generator) -> tuple[Line, object]:
        from protocols.approximate.simulator import simulate_transformation

        pools, _, output = simulate_transformation(record, stream, t, generator)
        return {"pools": labelled(pools.tolist())}, output

    return Online(record, state, inner.n * inner.k * inner.m, transformed)


def view(record: PanDistinctElements, setting: Setting) -> View:
    """The bound by the two batches of messages; Theorem de_upper is for a third of the users."""
    inner, letters = within(record), setting.letters
    found = pan_distinct_elements.view(inner.n, inner.k, inner.eps, inner.m, setting.part.t)
    if not letters.has("delta"):
        return found
    return replace(found, paper=paper_bound(inner.eps, letters.real("delta"), Fraction(1, 3)))


def unknown(search: Search) -> Unknown:
    """The unknown of P_DE, for the bound."""
    n, k = search.letters.count("n"), search.letters.count_or("k", 3)
    found = messages_or_epsilon(search, n, k, lambda eps, m: pan_distinct_elements.view(n, k, eps, m).curve)
    return replace(found, bound=True)


def error(asked: ErrorQuestion) -> ErrorLaw:
    """The estimate's error with the dummies."""
    from exact.accuracy import distinct_elements as accuracy
    from panshuffle.error_law import counts_of, over_cases

    letters = asked.letters
    n, k = letters.count("n"), letters.count("k")
    eps, length = letters.epsilon(n), n // 3
    ignore_messages(letters)
    if length < 1:
        raise ParameterError("n", n, "at least 3, so that the stream has an element")
    goal = asked.goal(lambda beta: accuracy.paper_alpha(k, eps, beta))
    chosen = asked.distinct(min(k, length))
    counts = counts_of(chosen, min(k, length))
    return lambda: over_cases(goal, accuracy.transformed_cases(k, counts, eps), chosen, None, "", WHY_ERROR)


def strategy() -> SearchStrategy[PanDistinctElements]:
    """Small ones."""
    return distinct_elements.strategy().filter(lambda record: record.n >= 3).map(PanDistinctElements)


CARD = Card(
    name=NAME,
    model=Model.ONLINE,
    neighbours="one element of the stream changes",
    letters=DE_LETTERS,
    records=(PanDistinctElements,),
    record=record,
    universe=lambda record: elements(within(record).k),
    runner=runner,
    view=view,
    reference=later("crosscheck.reference.transformed", "pan_distinct_elements"),
    strategy=strategy,
    derived=lambda record: {"m": within(record).m},
    seen=Seen(time=True),
    k_is_open=lambda letters: True,
    rows_tell_n=False,
    calibration=Calibrated(("n", "k", "m", "eps", "exp-eps", "q"), unknown),
    accuracy=Accuracy(error, ("beta", "distinct")),
    exported_instead=distinct_elements.NAME,
    seconds=1.0,
    slower_with_users=True,
)
