"""Causes: equal laws, parameters far off, mistakes in some of the runs, and what is said where nothing explains."""

from collections import Counter
from random import Random

import pytest
from panshuffle.crosscheck.bets import Columns
from panshuffle.crosscheck.causes import now_and_then, other_means, ranked
from panshuffle.crosscheck.examination import Examination
from panshuffle.crosscheck.mass_tables import binomial, point
from panshuffle.crosscheck.output_mistakes import relation
from panshuffle.crosscheck.reference.areas import DATA, DROPOUTS, NOISE, RUNS
from panshuffle.crosscheck.reference.mistakes import CUT_OFF, DRAWN_AGAIN, INDISTINGUISHABLE, ONCE_MORE, SHAPES
from panshuffle.crosscheck.reference.model import Reference
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.unexplained import in_words
from panshuffle.exact.real import log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.geometric_distinct_elements import GeometricDistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.poisson_binomial import PoissonBinomial
from panshuffle.protocols.randomized_or import RandomizedOr
from panshuffle.protocols.uniformity import Uniformity

from panshuffle.card import reference_of
from tests.every import every

LAW = binomial(40, real("1/2"))
ONE = Reference(("output",), (LAW,), lambda run: (run.output,))


def draws(rng, size, p=0.5, coins=40):
    return [sum(rng.random() < p for _ in range(coins)) for _ in range(size)]


def test_every_twin_is_that_of_a_known_mistake():
    references = (
        reference_of(Binomial(3, 8, real("1/3")), [1, 0, 1]),
        reference_of(GeometricDistinctElements(3, 5, real(1)), [1, 2, 2]),
        reference_of(ModularSum(5, 3), [1, 0, 1, 1, 0]),
        reference_of(DistinctElements(8, 4, log(real(2)), 5), [1, 1, 2, 3, 2, 2]),
        reference_of(RandomizedOr(3, real(1)), [0, 1, 0]),
        reference_of(PanSum(2, 6), [1, 0]),
        reference_of(Uniformity(4, 2, real(4), real(4), real(4)), [1, 2, 1]),
        reference_of(BinarySum(4, real("1/3")), [0, 1, 0]),
        reference_of(PoissonBinomial(3, 2, real("1/4")), [0, 1, 0]),
        reference_of(PanUniformity(Uniformity(9, 2, real(4), real(4), real(4))), [1, 2, 1], 1),
    )
    bugs = [bug for reference in references for bug in (*reference.bugs, *data_driven(reference))]
    known = {name: bug.area for bug in bugs for name in (bug.name, bug.name.partition(":")[0])}
    known |= {fit.name: fit.area for reference in references for fit in (*reference.fitted_mistakes, *reference.knobs)}
    known |= dict.fromkeys((DRAWN_AGAIN, CUT_OFF, ONCE_MORE, *SHAPES), NOISE)
    known |= {fit.name: fit.area for fit in other_means(())}
    known |= {"another data set": DATA, "the dropouts are missing, or others take part": DROPOUTS}
    assert set(INDISTINGUISHABLE) <= set(known)
    assert all(area != known[name] for name, others in INDISTINGUISHABLE.items() for _, area in others)


def data_driven(reference):
    """The mistakes that are tried for one run with the likeliest outcomes."""
    counts = [
        Counter([law.first + max(range(len(law.masses)), key=lambda i: law.masses[i].mid())]) for law in reference.laws
    ]
    return reference.data_driven_mistakes(counts) if reference.data_driven_mistakes is not None else ()


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


@every(
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
    text, area, others = in_words(columns)
    assert words in text
    assert area == (RUNS if "same" in words else NOISE)
    assert NOISE in (area, *others)


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


RIGHT_LISTS = [[float(3 * i % 7), float(i), float(5 - i % 4)] for i in range(12)]
RIGHT_NUMBERS = [float(7 * i % 12) for i in range(12)]
MANY = [float(i) for i in range(200)]
EXCHANGED = [float(i + 1 - 2 * (i % 20) if i % 20 < 2 else i) for i in range(200)]


@pytest.mark.parametrize(
    ("expected", "shown", "words"),
    [
        (RIGHT_LISTS, [sorted(one) for one in RIGHT_LISTS], "the outputs are sorted"),
        (RIGHT_LISTS, [[*one[:2], 0.0] for one in RIGHT_LISTS], "output 3 is always 0"),
        (RIGHT_LISTS, [[x * 4 / sum(one) for x in one] for one in RIGHT_LISTS], "to the sum 4"),
        (RIGHT_LISTS, [one[::-1] for one in RIGHT_LISTS], "reverse order"),
        (RIGHT_NUMBERS, [5.0] * 12, "does not depend on the pools: it is always 5"),
        ([*"ab" * 60], ["b" if i % 10 == 0 else "ab"[i % 2] for i in range(120)], 'answers are "b" and should not be'),
        (MANY, EXCHANGED, "outputs of neighbouring runs are exchanged: 20 of 200"),
        (MANY, [99.5 if i % 50 == 0 else x for i, x in enumerate(MANY)], "single outputs are wrong: 4"),
    ],
)
def test_what_wrong_outputs_have_in_common_is_said(expected, shown, words):
    kept = [(i, Run(output=output), right) for i, (right, output) in enumerate(zip(expected, shown, strict=True))]
    wrong = [one for one in kept if one[1].output != one[2]]
    right = [one for one in kept if one[1].output == one[2]]
    assert words in relation(wrong, right, len(wrong), len(kept))


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("geometric noise of the same mean", lambda rng: next(i for i in range(10**4) if rng.random() < 1 / 21)),
        ("uniform noise on all numbers that the right noise takes", lambda rng: rng.randrange(41)),
        ("the same noise is added twice", lambda rng: 2 * draws(rng, 1)[0]),
        ("two draws of the noise are added", lambda rng: sum(draws(rng, 2))),
    ],
)
def test_noise_of_another_law_is_named(name, draw):
    rng = Random(4)
    ranking = ranked(ONE, [Counter(draw(rng) for _ in range(400))])
    assert ranking.best is not None
    assert (ranking.best.name, ranking.best.area, ranking.best.whole) == (name, NOISE, True)


def test_a_law_that_lists_outcomes_which_it_never_takes_has_a_diagnosis():
    """Two shares of each of four ones are one 1 and one 0: the pool has four ones, though others are listed."""
    examination = Examination(reference_of(ModularSum(4, 2), [1] * 4, None))
    for number in range(60):
        ones = 6 if number % 2 else 4
        examination.add(Run(pools={1: (8 - ones, ones)}, output=0))
    verdict = examination.conclusion()
    assert not verdict.consistent and verdict.diagnosis.cause
