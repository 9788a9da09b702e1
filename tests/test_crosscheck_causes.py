"""Causes: twins, parameters that are far off, mistakes in some of the runs, and what is said where nothing explains."""

from collections import Counter
from random import Random

import pytest

from crosscheck.causes import DRAWN_AGAIN, now_and_then, ranked
from crosscheck.columns import Columns
from crosscheck.examination import Examination
from crosscheck.mass_tables import binomial, point
from crosscheck.reference.model import NOISE, RUNS, Reference
from crosscheck.runs import Run
from crosscheck.twins import TWINS
from crosscheck.unexplained import in_words
from exact.numbers.real import log, real
from panshuffle.references import reference_of
from protocols.distinct_elements import DistinctElements
from protocols.geometric_distinct_elements import GeometricDistinctElements
from protocols.modular_sum import ModularSum
from protocols.pan_sum import PanSum
from protocols.randomized_or import RandomizedOr
from protocols.skellam import Skellam

LAW = binomial(40, real("1/2"))
ONE = Reference(("output",), (LAW,), lambda run: (run.output,))


def draws(rng, size, p=0.5, coins=40):
    return [sum(rng.random() < p for _ in range(coins)) for _ in range(size)]


def test_every_twin_is_that_of_a_known_mistake():
    references = (
        reference_of(Skellam(4, real(6)), [1, 0, 1]),
        reference_of(GeometricDistinctElements(3, 5, real(1)), [1, 2, 2]),
        reference_of(ModularSum(5, 3), [1, 0, 1, 1, 0]),
        reference_of(DistinctElements(8, 4, log(real(2)), 5), [1, 1, 2, 3, 2, 2]),
        reference_of(RandomizedOr(3, real(1)), [0, 1, 0]),
    )
    known = {bug.name: bug.area for reference in references for bug in reference.bugs} | {DRAWN_AGAIN: NOISE}
    assert set(TWINS) <= set(known)
    assert all(area != known[name] for name, (_, area) in TWINS.items())


def test_twins_are_named_together_with_their_areas():
    rng = Random(1)
    values = [x for x in draws(rng, 4000) if 14 <= x <= 26]
    ranking = ranked(ONE, [Counter(values)])
    assert ranking.areas() == (NOISE, RUNS)
    assert "runs with such outcomes are made again (1 times as likely)" in ranking.sentence()


@pytest.mark.parametrize("lam", [5, 40, 231, 600])
def test_a_parameter_that_is_far_off_is_found(lam):
    """Near the 200 that were asked for no law lists what these runs show, so that there is no slope to follow."""
    reference = reference_of(PanSum(3, 200), [1, 0, 1], 1)
    rng = Random(2)
    states, noise = [1 + x for x in draws(rng, 400, coins=lam)], [1 + x for x in draws(rng, 400, coins=lam)]
    cause = ranked(reference, [Counter(states), Counter(noise)]).best
    assert "lam = " in cause.name
    found = float(cause.name.split("lam = ")[1].split(",")[0])
    assert abs(found / lam - 1) < 0.1


def test_a_mistake_in_some_of_the_runs_is_named_with_its_share():
    """In one run of fifty there is no noise; by counts in proportion to the masses, the best share is the true one."""
    counts = Counter({x: round(10**6 * 0.98 * float(LAW.mass(x).mid())) for x in range(41)})
    counts[0] += 20_000
    share, value = now_and_then([counts], [LAW], [point(0)])
    assert share == 0.02
    assert value > now_and_then([counts], [LAW], [LAW])[1] + 10_000


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda rng: [20] * 300, "the same in all runs"),
        (lambda rng: [2 * (x // 2) for x in draws(rng, 2000)], "always even"),
        (lambda rng: [x for x in draws(rng, 2000) if x != 20], "20 is never met"),
        (lambda rng: [2 * x for x in draws(rng, 2000, coins=20)], "always even"),
        (lambda rng: [x + rng.choice((-6, 6)) for x in draws(rng, 2000)], "variance too large"),
        (lambda rng: [sorted(draws(rng, 3))[1] for _ in range(1000)], "variance too small"),
    ],
)
def test_what_is_off_is_said_in_words(made, words):
    columns = Columns(ONE)
    columns.counts[0].update(made(Random(3)))
    text, area = in_words(columns)
    assert words in text
    assert area == NOISE


def test_runs_that_can_not_be_are_not_single_ones_where_the_others_are_off_too():
    """Bin(40, 1/2) in place of 2 + Bin(40, 1/2): in a few runs the outcome can't be, but all are too low."""
    moved = Reference(("output",), (binomial(8, real("1/2")).moved(2),), lambda run: (run.output,))
    single, shifted = Examination(moved), Examination(moved)
    rng = Random(4)
    for number in range(3000):
        right = 2 + draws(rng, 1, coins=8)[0]
        single.add(Run(output=0 if number == 700 else right))
        shifted.add(Run(output=max(right - 1, 2) if number % 1000 else 1))
    assert "single runs" in single.conclusion().diagnosis.cause
    assert "single runs" not in shifted.conclusion().diagnosis.cause
