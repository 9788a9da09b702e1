"""The negative binomial mechanism: a sum of bits plus NB(l, p), in one trusted hand.  It is not in the paper."""

from __future__ import annotations

from panshuffle.attacking import output
from panshuffle.card import Accuracy, Attack, Calibrated, Card, Export, Model, later, small
from panshuffle.error_law import ErrorLaw, ErrorQuestion, additive
from panshuffle.exact.parameters import check_open_unit
from panshuffle.exact.views import negative_binomial
from panshuffle.protocols.negative_binomial import NegativeBinomial
from panshuffle.search import MORE_NOISE, Search, Unknown
from panshuffle.setting import Seen

NAME = "negative-binomial"


def unknown(search: Search) -> Unknown:
    """The least l: NB(l + 1, p) is NB(l, p) and one more geometric draw."""
    p = search.letters.real("p")
    check_open_unit("p", p)
    return Unknown("l", lambda: search.integer(lambda l: negative_binomial.view(l, p).curve), MORE_NOISE)


def error(asked: ErrorQuestion) -> ErrorLaw:
    """The noise, de-biased or not."""
    from panshuffle.exact.accuracy.negative_binomial import noise_error

    l, p = asked.letters.count("l"), asked.letters.real("p")
    raw, goal = asked.question.has("raw"), asked.goal()
    law = noise_error(l, p, not raw, goal.beta)
    what = "The raw output: the error is NB(l, p)." if raw else "The output less l(1 - p)/p, which is unbiased."
    return lambda: additive(goal, law, 1, what)


def draws(record: NegativeBinomial, rows: int) -> int:
    """About what a run takes."""
    return rows + record.l.bit_length() * (1 / record.p).ceil()


CARD = Card(
    name=NAME,
    model=Model.CENTRAL,
    letters=("n", "l", "p"),
    records=(NegativeBinomial,),
    record=lambda letters: NegativeBinomial(letters.count("n"), letters.count("l"), letters.real("p")),
    view=lambda record, setting: negative_binomial.view(record.l, record.p, setting.part.direction),
    reference=later("panshuffle.crosscheck.reference.negative_binomial", "reference"),
    strategy=lambda: small(NegativeBinomial, "n", "successes", "chance"),
    seen=Seen(shift=True),
    n_is_open=True,
    calibration=Calibrated(("n", "p"), unknown),
    accuracy=Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"l": record.l, "p": record.p},
    attack=Attack(output, draws),
    export=Export(
        lambda record, setting, digits: negative_binomial.shifted_pair(record.l, record.p, digits),
        lambda part: "the output less f",
    ),
)
