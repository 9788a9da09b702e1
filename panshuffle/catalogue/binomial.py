"""The binomial mechanism: a 1-sensitive count plus Bin(l, p), in one trusted hand."""

from __future__ import annotations

from panshuffle.attacking import output
from panshuffle.card import Accuracy, Attack, Calibrated, Card, Export, Model, later, small
from panshuffle.error_law import ErrorLaw, ErrorQuestion, additive
from panshuffle.exact import parameters as formulas
from panshuffle.exact.errors import shortened
from panshuffle.exact.parameters import check_open_unit
from panshuffle.exact.real import HALF, Real
from panshuffle.exact.views import binomial
from panshuffle.explorer.subjects import NO_USERS, PRINTED, Explored
from panshuffle.protocols.binomial import Binomial
from panshuffle.question import Letters
from panshuffle.report.reported import Drawing, TightRow, beside_paper
from panshuffle.search import MORE_NOISE, Search, Unknown
from panshuffle.setting import Seen

binomial_pair = later("panshuffle.exact.views.pair_tables", "binomial_pair")


def noise(letters: Letters) -> tuple[int, Real]:
    """l and p."""
    p = letters.real_or("p", HALF)
    coins = letters.given_or_printed(
        "l", lambda letter: letters.count(letter, 0), lambda eps, delta: formulas.binomial_coins(p, eps, delta)
    )
    return coins, p


def unknown(search: Search) -> Unknown:
    """The least l."""
    p = search.letters.real_or("p", HALF)
    check_open_unit("p", p)
    return Unknown("l", lambda: search.integer(lambda l: binomial.view(l, p).curve, 0), MORE_NOISE)


def printed(search: Search, eps: Real, delta: Real) -> str:
    """l of Lemma b_noise."""
    return shortened(formulas.binomial_coins(search.letters.real_or("p", HALF), eps, delta))


def error(asked: ErrorQuestion) -> ErrorLaw:
    """The noise, de-biased or not."""
    from panshuffle.exact.accuracy.affine_error import noise_error

    coins, p = noise(asked.letters)
    asked.probability(p)
    raw, goal = asked.question.has("raw"), asked.goal()
    what = "The raw output: the error is Bin(l, p)." if raw else "The output less l p, which is unbiased."
    return lambda: additive(goal, noise_error(coins, p, not raw), 1, what)


CARD = Card(
    name="binomial",
    model=Model.CENTRAL,
    letters=("n", "l", "p", "eps", "exp-eps", "delta"),
    records=(Binomial,),
    record=lambda letters: Binomial(letters.count("n"), *noise(letters)),
    view=lambda record, setting: binomial.view(record.l, record.p, setting.part.direction),
    reference=later("panshuffle.crosscheck.reference.released", "binomial_mechanism"),
    strategy=lambda: small(Binomial, "n", "coins", "p"),
    derived=lambda record: {"p": record.p, "l": record.l},
    seen=Seen(shift=True),
    n_is_open=True,
    calibration=Calibrated(("n", "p"), unknown, "binomial-mechanism", printed),
    accuracy=Accuracy(error, ("beta", "raw")),
    certificate=lambda record, setting: {"l": record.l, "p": record.p},
    export=Export(
        lambda record, setting, digits: binomial_pair(record.l, record.p, True, digits),
        lambda part: "the output less f",
    ),
    attack=Attack(output, lambda record, rows: 2 * rows),
    explored=Explored(
        1,
        "the binomial mechanism, central",
        (("the coins", ("l", "p")), (PRINTED, ("eps", "delta", "p"))),
        lambda letters: NO_USERS,
        defaults=(("p", "1/2"),),
    ),
    reported=(
        TightRow(1, "coins of the binomial mechanism", "calibrate {} --at-eps 1 --at-delta 1e-6"),
        TightRow(9, "delta of the binomial mechanism, l = 1,359", "privacy {} --l 1359 --at-eps 1"),
        Drawing(
            2,
            "noise-eps",
            "Coins that the binomial mechanism needs, δ = 10⁻⁶",
            "ε (nats)",
            "coins ℓ",
            ("1/10", "1/5", "2/5", "3/5", "4/5", "1", "3/2", "2"),
            beside_paper("calibrate {} --at-eps X --at-delta 1e-6", "least (certified)"),
            seen="The paper's bound asks for about 17 times the coins that are exactly enough, at every eps.",
            log_x=True,
        ),
    ),
    examples=(
        "attack {} --l 80 --at-eps 1",
        "curve {} --l 80 --from 0 --to 2 -o curve.svg",
        "export {} --l 20 -o pair.json",
    ),
)
