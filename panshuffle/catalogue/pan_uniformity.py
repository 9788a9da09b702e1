"""Q_P on P_UT: the robust shuffle tester as an online algorithm with uniform dummies, pan-private."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from exact.curves.curve import Curve, View
from exact.numbers.real import Real
from exact.parameters import check_positive
from exact.views import pan_uniformity
from panshuffle.card import Accuracy, Calibrated, Card, Model, later
from panshuffle.catalogue import uniformity
from panshuffle.catalogue.uniformity import UT_LETTERS
from panshuffle.dataset import elements
from panshuffle.running import Line, Online, labelled
from panshuffle.search import MORE_NOISE, Search, Unknown
from panshuffle.setting import Seen, Setting
from protocols.model.transformation import in_random_order
from protocols.pan_uniformity import PanUniformity, State
from protocols.randomness.coins import Coins

if TYPE_CHECKING:
    import numpy as np
    from hypothesis.strategies import SearchStrategy

    from panshuffle.answer import Json
    from panshuffle.error_law import ErrorFound, ErrorLaw, ErrorQuestion

NAME = "pan-uniformity"
WHY_ERROR = (
    "The exact law of Z' for a stream of floor(n/3) samples, of which the first min(Bin(n, 2/9), floor(n/3)) are used "
    "among uniform dummies, n executions in all."
)


def runner(record: PanUniformity) -> Online:
    """The algorithm; a state is shown as its pools and the number of elements that it still uses."""
    inner = record.protocol

    def state(seen: State, coins: Coins) -> Line:
        pools = labelled(inner.count_pools(in_random_order(seen.messages, coins)))
        return {"pools": pools, "n_left": seen.n_left}

    def transformed(stream: Sequence[int], t: int, generator: np.random.Generator) -> tuple[Line, object]:
        from protocols.approximate.simulator import simulate_transformation

        pools, n_left, output = simulate_transformation(record, stream, t, generator)
        return {"pools": labelled(pools.tolist()), "n_left": n_left}, output

    return Online(record, state, inner.n * inner.k + inner.k * inner.lam.ceil(), transformed)


def view(record: PanUniformity, setting: Setting) -> View:
    """The bound by the two batches of messages; the printed bound needs a k that was given."""
    inner = record.protocol
    found = pan_uniformity.view(inner.n, inner.k, inner.lam, setting.part.t)
    return found if setting.letters.has("k") else replace(found, paper=None)


def unknown(search: Search) -> Unknown:
    """The least lam, for the bound."""
    n, k = search.letters.count("n"), search.letters.count_or("k", 2)

    def curve_at(lam: Real) -> Curve:
        return pan_uniformity.view(n, k, lam).curve

    return Unknown("lam", lambda: search.poisson(curve_at), MORE_NOISE, bound=True)


def error(asked: ErrorQuestion) -> ErrorLaw:
    """P["not uniform"], for the stream's own number of samples."""
    from exact.accuracy.uniformity import Statistic, transformed_chance
    from exact.numbers.certified import Certified
    from panshuffle import tester_error as shared
    from panshuffle.error_law import THIS, ErrorFound

    letters = asked.letters
    n, k = letters.count("n"), letters.count("k")
    lam = uniformity.noise(letters, k)
    check_positive("lam", lam)
    m = shared.expected_samples(letters)
    tau = shared.threshold_of(letters, k, lam, m, lambda alpha: alpha)
    of = Statistic(m, lam, shared.distribution(asked, k))

    def find() -> ErrorFound:
        chance = transformed_chance(of, n, of.least_rejected(tau))
        more: dict[str, Json] = {"tau": Certified.of(tau).enclosure(10)[0], "stream": n // 3, "kind": "exact"}
        return ErrorFound(shared.NOT_UNIFORM, chance, THIS, WHY_ERROR, more=more)

    return find


def strategy() -> SearchStrategy[PanUniformity]:
    """Small ones."""
    return uniformity.strategy().filter(lambda record: record.n >= 3).map(PanUniformity)


CARD = Card(
    name=NAME,
    model=Model.ONLINE,
    neighbours="one element of the stream changes",
    letters=UT_LETTERS,
    records=(PanUniformity,),
    record=lambda letters: PanUniformity(uniformity.tester(letters)),
    universe=lambda record: elements(record.protocol.k),
    runner=runner,
    view=view,
    reference=later("crosscheck.reference.transformed", "pan_uniformity"),
    strategy=strategy,
    derived=lambda record: {"lam": record.protocol.lam},
    seen=Seen(time=True),
    k_is_open=lambda letters: letters.has("lam"),
    rows_tell_n=False,
    calibration=Calibrated(("n", "k"), unknown, poisson=True),
    accuracy=Accuracy(error, ("uniform", "paired"), ("p",)),
    exported_instead=uniformity.NAME,
    seconds=0.6,
)
