"""The Poisson-binomial sum: m copies of a bit a user, each flipped with probability p, shuffled.

It is not in the paper.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from panshuffle.card import Accuracy, Attack, Calibrated, Card, Data, Model, small
from panshuffle.exact.views.flipped_bits import check_flip, poisson_binomial_view
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.running import Shuffled

if TYPE_CHECKING:
    from panshuffle.crosscheck.reference.model import Reference
    from panshuffle.error_law import ErrorLaw, ErrorQuestion
    from panshuffle.search import Search, Unknown


FLIPS = "Flipping more often is post-processing, so every p above the one that meets the target meets it too."
UNBIASED = "(ones - Nmp)/(m(1 - 2p)) is unbiased, for the worst number of ones among the data that are covered."
LARGEST, LEAST = Fraction(2**40 - 1, 2**41), Fraction(1, 2**40)
"""Between these flip probabilities the least one is looked for."""


def unknown(search: Search) -> Unknown:
    """The least p."""
    from panshuffle.search import Unknown

    users, m = search.users(), search.letters.count("m")
    return Unknown(
        "p", lambda: search.crossing(lambda p: poisson_binomial_view(users, m, p).curve, LARGEST, LEAST), FLIPS
    )


def error(asked: ErrorQuestion) -> ErrorLaw:
    """The error of the estimate, for the worst number of ones."""
    from panshuffle.error_law import flipped_bits

    letters, goal = asked.letters, asked.goal()
    n, m, p = letters.count("n"), letters.count("m"), letters.real("p")
    check_flip(m, p)
    return lambda: flipped_bits(goal, asked.users(n), m, p, UNBIASED)


def reference(record: PoissonBinomial, data: Data) -> Reference:
    """The exact laws of what a run shows."""
    from panshuffle.crosscheck.reference.poisson_binomial import reference as laws

    return laws(record, data)


CARD = Card(
    name="poisson-binomial",
    model=Model.SHUFFLE,
    letters=("n", "m", "p", "gamma"),
    records=(PoissonBinomial,),
    record=lambda letters: PoissonBinomial(letters.count("n"), letters.count("m"), letters.real("p")),
    runner=lambda record: Shuffled.plain(record, record.n * record.m),
    view=lambda record, setting: poisson_binomial_view(setting.users(record.n), record.m, record.p),
    reference=reference,
    small=small(PoissonBinomial, "n", "copies", "inner flip"),
    calibration=Calibrated(("n", "m", "gamma"), unknown),
    accuracy=Accuracy(error, ("beta",)),
    certificate=lambda record, setting: {"n": record.n, "gamma": setting.gamma, "m": record.m, "p": record.p},
    attack=Attack("ones", lambda record, rows: record.m * rows),
    seconds=5.0,
    slower_with_users=True,
)
