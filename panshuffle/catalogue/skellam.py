"""The Skellam sum: a sum of bits with the difference of two Poisson draws from every user, securely aggregated.

It is not in the paper.
"""

from __future__ import annotations

from panshuffle.attacking import output
from panshuffle.card import Accuracy, Attack, Calibrated, Card, Export, Model, later, small
from panshuffle.error_law import ErrorLaw, ErrorQuestion, additive
from panshuffle.exact.views import skellam
from panshuffle.protocols.skellam import Skellam
from panshuffle.search import Search, Unknown
from panshuffle.setting import Seen


def unknown(search: Search) -> Unknown:
    """The least lam: noise of a larger variance is this noise and more of it."""
    gamma = search.setting.gamma
    return search.least_real("lam", lambda lam: skellam.view(gamma * lam).curve)


def error(asked: ErrorQuestion) -> ErrorLaw:
    """The noise of those who take part."""
    from panshuffle.exact.accuracy.skellam import noise_error

    goal = asked.goal()
    law = noise_error(asked.gamma * asked.letters.real("lam"), goal.beta)
    return lambda: additive(goal, law, 1, "The error is the noise, the difference of two Pois(gamma*lam/2).")


CARD = Card(
    name="skellam",
    model=Model.AGGREGATE,
    letters=("n", "lam", "gamma"),
    records=(Skellam,),
    record=lambda letters: Skellam(letters.count("n"), letters.real("lam")),
    view=lambda record, setting: skellam.view(setting.gamma * record.lam),
    reference=later("panshuffle.crosscheck.reference.skellam", "reference"),
    strategy=lambda: small(Skellam, "n", "lam"),
    seen=Seen(shift=True, symmetric=True),
    n_is_open=True,
    calibration=Calibrated(("n", "gamma"), unknown, poisson=True),
    accuracy=Accuracy(error, ("beta",)),
    certificate=lambda record, setting: {"lam": record.lam, "gamma": setting.gamma},
    attack=Attack(output, lambda record, rows: rows + record.lam.ceil()),
    export=Export(
        lambda record, setting, digits: skellam.shifted_pair(setting.gamma * record.lam, digits),
        lambda part: "the output less the sum of the others' bits",
    ),
)
