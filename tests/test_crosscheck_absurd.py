"""One absurd run, of mass below 1e-30, is found among a hundred thousand right ones."""

import math
from random import Random

import numpy as np
import pytest

from crosscheck.bets import OUTLIER, outlier_bets
from crosscheck.columns import Columns
from crosscheck.examination import Examination
from crosscheck.joint_outliers import JointOutliers
from crosscheck.mass_tables import binomial
from crosscheck.order_bets import Order
from crosscheck.reference.model import ORDER, Arrangement, Reference
from exact.numbers.real import real
from panshuffle.references import reference_of
from protocols.binomial import Binomial
from protocols.geometric_distinct_elements import GeometricDistinctElements
from protocols.modular_sum import ModularSum
from protocols.negative_binomial import NegativeBinomial
from protocols.pan_sum import PanSum
from protocols.poisson_binomial import PoissonBinomial
from protocols.skellam import Skellam
from protocols.uniformity import Uniformity
from tests.conftest import FULL
from tests.test_crosscheck_zoo import reference, runs
from tests.zoo import SCENES

MANY = 100_000
LIMIT = math.log(10**9)


def weight_of(examination):
    """ln of the weight of a bet on outliers, and of one on the order."""
    groups = examination.bets()
    found = {}
    for group in groups:
        found[group[0].kind] = max(found.get(group[0].kind, 0.0), math.log(len(groups) * len(group)))
    return found


def drawn(law, rng, size):
    masses = np.array([max(0.0, float(mass.mid())) for mass in law.masses])
    return law.first + rng.choice(len(masses), size=size, p=masses / masses.sum())


LARGE = {
    "binomial": reference_of(Binomial(1, 400, real("1/2")), [1]),
    "negative-binomial": reference_of(NegativeBinomial(1, 5, real("1/3")), [1]),
    "skellam": reference_of(Skellam(4, real(20)), [1, 0, 0, 1]),
    "poisson-binomial": reference_of(PoissonBinomial(40, 10, real("1/5")), [1, 0] * 20),
    "geometric": reference_of(GeometricDistinctElements(3, 5, real(1)), [1, 2, 2]),
    "modular-sum": reference_of(ModularSum(60, 5), [1, 0] * 30),
    "pan-sum": reference_of(PanSum(3, 400), [1, 0, 1], 1),
    "uniformity": reference_of(Uniformity.repaired(8, 3, real(40), real(8)), [1, 2, 2, 3, 1, 1, 1, 1]),
}


@pytest.mark.parametrize("name", LARGE)
def test_an_absurd_outcome_of_a_coordinate_decides_among_a_hundred_thousand_runs(name):
    """Every coordinate with an outcome of mass below 1e-30; which run it stands in makes no difference to the counts.

    The bets see the counts and the number of runs; in the quick sweep fewer runs are drawn, and as many are said to be.
    """
    reference = LARGE[name]
    rng = np.random.default_rng(1)
    rows = np.stack([drawn(law, rng, MANY if FULL else 2000) for law in reference.laws], axis=1)
    examination = Examination(reference)
    examination.count(rows[:1])
    weight = weight_of(examination)[OUTLIER]
    columns = Columns(reference)
    columns.add(rows)
    columns.runs = MANY
    assert largest(columns) - weight < 0
    absurd = [(i, x) for i, law in enumerate(reference.laws) for x in [tiny_outcome(law)] if x is not None]
    assert absurd
    for i, x in absurd:
        columns.counts[i][x] += 1
        assert largest(columns) - weight > LIMIT
        del columns.counts[i][x]


def largest(columns):
    """The most evidence of all bets on outliers."""
    return max(float(bet.log_e.mid()) for bet in outlier_bets(columns))


def tiny_outcome(law):
    """An outcome that is possible, and less likely than 1e-30."""
    beyond = (law.first - 1, law.first + len(law.masses))
    listed = (law.first + i for i, mass in enumerate(law.masses) if mass < 1e-30)
    return next((x for x in (*listed, *beyond) if law.possible(x) and law.mass(x).upper() < 1e-30), None)


def test_a_run_that_is_absurd_only_as_a_whole_decides():
    """Sixty coordinates that are all two to three deviations high: none is rare, but their mass is below 1e-30."""
    law = binomial(100, real("1/2"))
    whole = Reference(tuple(f"x{i}" for i in range(60)), (law,) * 60, lambda run: run.output)
    absurd = JointOutliers(Columns(whole))
    absurd.add(np.random.default_rng(2).binomial(100, 0.5, (MANY if FULL else 2000, 60)))
    for shot in absurd.shots:
        shot.runs = MANY - 1  # as many came before it
    absurd.add(np.full((1, 60), 62))
    best = max(absurd.bets(), key=lambda bet: float(bet.log_e.mid()))
    assert float(best.log_e.mid()) > LIMIT + 10
    assert best.event == f"all high in run {MANY}"


def test_one_run_in_an_absurd_order_decides():
    """One run among thousands whose 60 + 60 messages are sorted: an order of mass 1e-35."""
    order, rng = Order(Arrangement()), Random(3)
    messages = [(1, 0)] * 60 + [(1, 1)] * 60
    batch = [messages if number == 700 else rng.sample(messages, 120) for number in range(1000)]
    order.add(batch)
    best = max(order.shot_bets(), key=lambda bet: float(bet.log_e.mid()))
    assert best.kind == ORDER
    assert float(best.log_e.mid()) - 2 * math.log(100) > LIMIT  # as much more for a hundred times as many runs
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
