"""One absurd run, of mass below 1e-30, is found among a hundred thousand right ones."""

import math
from random import Random

import numpy as np
import pytest
from panshuffle.crosscheck.bets import OUTLIER, Columns, outlier_bets
from panshuffle.crosscheck.examination import Examination
from panshuffle.crosscheck.order_bets import Order
from panshuffle.crosscheck.pool_bets import Conditional
from panshuffle.crosscheck.reference.areas import ORDER, STATE
from panshuffle.crosscheck.reference.model import Arrangement
from panshuffle.exact.real import log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_distinct_elements import PanDistinctElements
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum
from panshuffle.protocols.uniformity import Uniformity

from panshuffle.arguments import PROTOCOLS
from panshuffle.card import reference_of
from tests.conftest import FULL
from tests.crosscheck.test_zoo import reference, runs
from tests.crosscheck.zoo import SCENES
from tests.every import every

MANY = 100_000
LIMIT = math.log(10**9)


WEIGHT = math.log(14 * 18)
"""ln of one over the weight of a bet: at most fourteen groups, of at most eighteen bets on outliers."""


@pytest.mark.parametrize("name", ["binary-sum", "pan-distinct-elements"])
def test_the_weight_of_a_bet_on_outliers_is_no_less(name):
    examination = Examination(reference(name))
    for run in runs(SCENES[name], "", 5, 2):
        examination.add(run)
    groups = examination.bets()
    absurd = [group for group in groups if group[0].kind in (OUTLIER, STATE)]
    assert absurd
    assert all(math.log(len(groups) * len(group)) <= WEIGHT for group in absurd)


def drawn(law, rng, size):
    masses = np.array([max(0.0, float(mass.mid())) for mass in law.masses])
    return law.first + rng.choice(len(masses), size=size, p=masses / masses.sum())


LARGE = {
    "binary-sum": reference_of(BinarySum(120, real("1/3")), [1, 0] * 60),
    "binomial": reference_of(Binomial(1, 400, real("1/2")), [1]),
    "compressed-uniformity": reference_of(
        CompressedUniformity.repaired(6, 7, 3, real(30), real(6)), [1, 2, 2, 3, 7, 7]
    ),
    "distinct-elements": reference_of(DistinctElements(40, 4, log(real(2)), 5), [1, 2, 1, 2] * 10),
    "distinct-elements, many users": reference_of(DistinctElements(2000, 2, real(1), 20), [1, 2] * 1000),
    "distinct-elements, two shares": reference_of(DistinctElements(11_000, 2, real(1), 2), [1, 2] * 5500),
    "geometric-distinct-elements": reference_of(GeometricDistinctElements(3, 5, real(1)), [1, 2, 2]),
    "hashed-distinct-elements": reference_of(HashedDistinctElements(4, 7, log(real(2)), 40, real(1)), [1, 1, 5, 5]),
    "modular-sum": reference_of(ModularSum(60, 5), [1, 0] * 30),
    "modular-sum, many users": reference_of(ModularSum(2000, 20), [1, 0] * 1000),
    "pan-distinct-elements": reference_of(
        PanDistinctElements(DistinctElements(60, 120, log(real(2)), 6)), [3, 2] * 10, 5
    ),
    "pan-histogram": reference_of(PanHistogram(5, 3, 400), [1, 2, 3, 3, 1], 2),
    "pan-sum": reference_of(PanSum(3, 400), [1, 0, 1], 1),
    "pan-uniformity": reference_of(PanUniformity(Uniformity.repaired(450, 3, real(900), real(9))), [1, 2, 2] * 50, 1),
    "poisson-binomial": reference_of(PoissonBinomial(40, 10, real("1/5")), [1, 0] * 20),
    "randomized-or": reference_of(RandomizedOr(3, real(80)), [0, 0, 0]),
    "shuffle-histogram": reference_of(ShuffleHistogram(120, 3, real("1/4")), [1, 2, 3] * 40),
    "two-bit-sum": reference_of(TwoBitSum(120, real("1/5")), [(0, 1), (1, 1), (0, 0)] * 40),
    "uniformity": reference_of(Uniformity.repaired(8, 3, real(40), real(8)), [1, 2, 2, 3, 1, 1, 1, 1]),
}
"""Every protocol at a size at which each of its random coordinates has an outcome of mass below 1e-30."""
FORMS = {
    f"{name}{words}": form
    for name, whole in LARGE.items()
    for words, form in (("", whole), (", any family", whole.hash_agnostic), (", given the values", whole.conditioned))
    if form is not None
}


def test_every_protocol_is_there():
    assert {name.split(",")[0] for name in LARGE} == set(PROTOCOLS)


@every("name", FORMS)
def test_an_absurd_outcome_of_any_coordinate_decides_among_a_hundred_thousand_runs(name):
    """Which run it stands in makes no difference to the counts.

    The bets see the counts and the number of runs; in the quick sweep fewer runs are drawn, and as many are said to be.
    """
    reference = FORMS[name]
    rng = np.random.default_rng(1)
    rows = np.stack([drawn(law, rng, MANY if FULL else 500) for law in reference.laws], axis=1)
    columns = Columns(reference)
    columns.add(rows)
    columns.runs = MANY
    assert largest(columns) - WEIGHT < 0
    random = [i for i, law in enumerate(reference.laws) if len(law.masses) > 1]
    assert random
    for i in first_and_last(random):
        x = tiny_outcome(reference.laws[i])
        if x is None:
            assert reference.names[i] == "odd pools"  # these few have no such outcome at any size that is quick
            continue
        columns.counts[i][x] += 1
        assert largest(columns) - WEIGHT > LIMIT, (reference.names[i], x)
        del columns.counts[i][x]


def first_and_last(places):
    """All, or in the quick sweep five from either end, among which is every kind of coordinate."""
    return places if FULL or len(places) <= 10 else [*places[:5], *places[-5:]]


@pytest.mark.parametrize("name", ["pan-distinct-elements", "pan-uniformity"])
def test_an_outcome_that_is_absurd_only_given_the_others_decides(name):
    """Each coordinate whose law is known given the others has an outcome of mass below 1e-30 given them."""
    reference = LARGE[name]
    rng = np.random.default_rng(1)
    row = [int(drawn(law, rng, 1)[0]) for law in reference.laws]
    assert reference.given
    for given in reference.given:
        law = given.law(given.key(row))
        place = next(
            i for i in range(len(row)) if given.value([*row[:i], row[i] + 1, *row[i + 1 :]]) != given.value(row)
        )
        conditional = Conditional(given)
        conditional.add(np.array([row]))
        conditional.absurd.runs = MANY - 1  # as many came before it
        conditional.add(np.array([[*row[:place], tiny_outcome(law), *row[place + 1 :]]]))
        best = max(conditional.bets(), key=lambda bet: bet.log_e)
        assert best.log_e - WEIGHT - math.log(len(reference.given)) > LIMIT, given.name
        assert best.event == f"absurd in run {MANY}"


def largest(columns):
    """The most evidence of all bets on outliers."""
    return max(bet.log_e for bet in outlier_bets(columns))


def tiny_outcome(law):
    """An outcome that is possible, and less likely than 1e-30."""
    beyond = (law.first - 1, law.first + len(law.masses))
    listed = (law.first + i for i, mass in enumerate(law.masses) if mass < 1e-30)
    return next((x for x in (*listed, *beyond) if law.possible(x) and law.mass(x).upper() < 1e-30), None)


def test_one_run_in_an_absurd_order_decides():
    """One run among thousands whose 60 + 60 messages are sorted: an order of mass 1e-35."""
    order, rng = Order(Arrangement()), Random(3)
    messages = [(1, 0)] * 60 + [(1, 1)] * 60
    batch = [messages if number == 700 else rng.sample(messages, 120) for number in range(1000)]
    order.add(batch)
    best = max(order.shot_bets(), key=lambda bet: bet.log_e)
    assert best.kind == ORDER
    assert best.log_e - 2 * math.log(100) > LIMIT  # as much more for a hundred times as many runs
    assert "run 701" in best.event


@pytest.mark.parametrize("name", SCENES)
def test_an_outcome_that_can_not_be_decides_in_every_protocol(name):
    """A coordinate of one run among right ones has a value that its law excludes, or all but excludes."""
    examination = Examination(reference(name))
    for run in runs(SCENES[name], "", 5, 40):
        examination.add(run)
    assert examination.conclusion().consistent
    row = list(examination.reference.read(next(iter(runs(SCENES[name], "", 6, 1)))))
    row[-1] += 10**6
    examination.count(np.array([row]))
    examination.runs += 1
    assert not examination.conclusion().consistent
