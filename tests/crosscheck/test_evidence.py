"""The evidence against a law: every e-value, and the verdict over all looks."""

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, prod
from random import Random

import numpy as np
import pytest
from flint import arb, ctx
from panshuffle.crosscheck import order_bets, run_bets
from panshuffle.crosscheck.bets import against, rare_among, rare_of, rarities, too_often
from panshuffle.crosscheck.e_values import Tilt, ends_of, mixed, split, spread, spreads
from panshuffle.crosscheck.examination import Examination, examine
from panshuffle.crosscheck.mass_tables import binomial, listed, poisson
from panshuffle.crosscheck.order_bets import Chances, Stack, even_chance
from panshuffle.crosscheck.reference.model import MISSING, Arrangement, Fit, Given, Reference
from panshuffle.crosscheck.run_bets import NoiseSequence
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial

from panshuffle.card import reference_of
from panshuffle.testing import assert_law
from tests.conftest import FULL

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@pytest.mark.parametrize(("runs", "p"), [(1, HALF), (5, THIRD), (8, Fraction(1, 7))])
def test_the_mean_of_a_split_under_the_law_is_one(runs, p):
    total = sum(
        math.exp(split(k, runs, arb(p.numerator) / p.denominator)) * float(comb(runs, k) * p**k * (1 - p) ** (runs - k))
        for k in range(runs + 1)
    )
    assert 1 - 1e-9 < total <= 1


def test_a_split_is_the_rational_number_that_it_says():
    exact = 1 / ((10 + 1) * comb(10, 7) * THIRD**7 * (1 - THIRD) ** 3)
    third = binomial(1, real(THIRD)).mass(1)
    assert float(exact) * (1 - 1e-9) < math.exp(split(7, 10, third)) <= exact


def test_the_mean_of_a_spread_under_the_law_is_one():
    p = (HALF, THIRD, Fraction(1, 6))
    balls = [arb(x.numerator) / x.denominator for x in p]
    total = 0.0
    for word in product(range(3), repeat=5):
        counts = [word.count(i) for i in range(3)]
        total += math.exp(spread(counts, balls)) * float(prod(p[i] for i in word))
    assert 1 - 1e-9 < total <= 1


def test_the_mean_of_a_likelihood_ratio_is_at_most_one():
    law, other = listed({0: 0.5, 1: 0.25, 2: 0.25}), listed({0: 0.125, 1: 0.75, 2: 0.125})
    total = 0.0
    for word in product(range(3), repeat=4):
        mass = prod(float(law.mass(x).mid()) for x in word)
        total += mass * math.exp(against(Counter(word), law, other))
    assert 1 - 1e-9 < total <= 1 + 1e-12


def test_the_mean_of_a_tilted_bet_is_one():
    chances = [HALF, THIRD, Fraction(9, 10)]
    total = 0.0
    for word in product((True, False), repeat=3):
        mass, tilt = (
            prod(p if happened else 1 - p for happened, p in zip(word, chances, strict=True)),
            Tilt((0.25, 4.0)),
        )
        for happened, p in zip(word, chances, strict=True):
            tilt.add(int(happened), np.array([float(p)]), np.array([float(p)]))
        total += float(mass) * math.exp(tilt.log_e())
    assert 1 - 1e-9 < total <= 1


def tiny():
    law = listed({0: 0.5, 1: 0.375, 2: 0.125})
    return Reference(("x",), (law,), lambda run: (run.output,))


def test_the_evidence_as_a_whole_has_mean_at_most_one():
    """Over all sequences of five runs, with every question that is asked of one coordinate."""
    total = 0.0
    for word in product(range(3), repeat=5):
        examination = Examination(tiny())
        for x in word:
            examination.add(Run(output=x))
        groups = examination.bets()
        parts = [(Fraction(1, len(groups) * len(group)), q.log_e) for group in groups for q in group]
        total += prod((0.5, 0.375, 0.125)[x] for x in word) * math.exp(mixed(parts))
    assert 0.5 < total <= 1 + 1e-12


def test_even_blocks_by_listing():
    bits = [1, 1, 1, 0, 0, 0, 0]
    chosen = list(combinations(bits, 3))
    assert abs(even_chance(3, 7, 3) - sum(sum(part) % 2 == 0 for part in chosen) / len(chosen)) < 1e-15


def test_peeking_does_not_raise_false_alarms():
    """At alarm 1/20 the 60 runs are looked at again and again: at most 1/20 of the sequences may ever alarm (Ville)."""
    reference = reference_of(Binomial(1, 4, real(HALF)), [1])
    sequences, alarms = 600 if FULL else 30, 0
    for seed in range(sequences):
        rng, examination = Random(seed), Examination(reference, Fraction(1, 20))
        for _ in range(60):
            examination.add(Run(output=1 + sum(rng.getrandbits(1) for _ in range(4))))
            if examination.runs % (5 if FULL else 10) == 0 and not examination.conclusion().consistent:
                alarms += 1
                break
    assert alarms <= sequences / 20 + 4 * math.sqrt(sequences / 20)


def test_more_runs_show_smaller_deviations():
    reference = reference_of(Binomial(1, 4, real(HALF)), [1])

    def least(runs):
        rng, examination = Random(1), Examination(reference)
        for _ in range(runs):
            examination.add(Run(output=1 + sum(rng.getrandbits(1) for _ in range(4))))
        return float(examination.conclusion().resolution.split(" by ")[1].split()[0])

    assert least(4000) < least(400) / 2


def test_a_bad_alarm_and_no_runs_are_refused():
    with pytest.raises(InputError):
        Examination(tiny(), Fraction(2))
    with pytest.raises(InputError):
        examine(tiny(), [])


def test_the_weights_do_not_depend_on_what_later_runs_show():
    """Runs that begin to show messages, or cease to, leave the number of questions as it was."""
    reference = reference_of(BinarySum(2, real(HALF)), [1, 0])
    shown, hidden = Run({1: (2, 2)}, ((1, 0), (1, 1), (1, 0), (1, 1))), Run({1: (2, 2)})
    for first, later in ((shown, hidden), (hidden, shown)):
        examination = Examination(reference)
        examination.add(first)
        before = [len(group) for group in examination.bets()]
        examination.add(later)
        assert [len(group) for group in examination.bets()] == before


def test_impossible_runs_that_repeat_leave_the_evidence_a_number():
    examination = Examination(tiny())
    for _ in range(8):
        examination.add(Run(output=7))
    verdict = examination.conclusion()
    assert not verdict.consistent
    assert verdict.evidence == verdict.evidence


def test_outcomes_that_lie_far_apart_are_coded():
    rng = Random(3)
    assert_law(lambda: rng.choice((0, 10**12)), {0: "1/2", 10**12: "1/2"}, runs=256)
    with pytest.raises(AssertionError):
        assert_law(lambda: 10**12, {0: "1/2", 10**12: "1/2"}, runs=256)


# Every e-value, run after run -----------------------------------------------------------------------------------


FIRST, SECOND = {0: 0.5, 1: 0.375, 2: 0.125}, {0: 0.25, 1: 0.75}


def pair_reference(dependent=frozenset()):
    """Two coordinates with a parameter that may be off, and the second one given the first."""
    laws = (listed(FIRST), listed(SECOND))
    knob = Fit("p", real("3/4"), Fraction(1, 100), Fraction(99, 100), lambda p: (laws[0], binomial(1, p)))
    given = Given("y given x", lambda row: row[1], lambda row: row[0], lambda x: laws[1], True)
    return Reference(("x", "y"), laws, lambda run: run.output, knobs=(knob,), dependent=dependent, given=(given,))


ABSURD = {0: 0.5, 1: 0.5 - 2.0**-23, 2: 2.0**-23, 3: 2.0**-100}
"""A law with outcomes that should not be met, so that the bets on these are more than what waits for later runs."""


def absurd_reference():
    laws = (listed(ABSURD), listed(ABSURD))
    given = Given("y given x", lambda row: row[1], lambda row: (row[0],), lambda x: laws[1])
    return Reference(("x", "y"), laws, lambda run: run.output, given=(given,))


def alternating_reference():
    """Two coordinates of which each run has one: whether it is the first is decided by the number of the run."""
    laws = (listed(FIRST), listed(SECOND))
    return Reference(("x", "y"), laws, lambda run: run.output)


def bit_reference():
    return Reference(("x",), (listed({0: 0.625, 1: 0.375}),), lambda run: run.output)


def kinds_reference():
    """Two bins with two kinds of coordinates each, whose sums are looked at kind by kind."""
    names = tuple(f"bin {j}: {kind}" for j in (1, 2) for kind in ("state", "output - state"))
    return Reference(names, (listed(SECOND),) * 4, lambda run: run.output)


ORDERS = list(dict.fromkeys(permutations(((1, 0), (1, 1), (2, 1), (2, 1)))))
SENT = Arrangement(width=2, odd_blocks=1, labels=(1, 1, 2, 2), bits=(0, 1, 1, 1), columns=(1, 0))


def order_reference():
    return Reference(("x",), (listed({0: 1.0}),), lambda run: (0,), arrangement=SENT)


PAIRS = [(Run(output=(x, y)), p * q) for (x, p), (y, q) in product(FIRST.items(), SECOND.items())]
ABSURD_PAIRS = [(Run(output=(x, y)), p * q) for (x, p), (y, q) in product(ABSURD.items(), repeat=2)]
BITS = [(Run(output=(0,)), 0.625), (Run(output=(1,)), 0.375)]
KINDS = [(Run(output=word), 0.25 ** word.count(0) * 0.75 ** word.count(1)) for word in product((0, 1), repeat=4)]
MESSAGES = [(Run(messages=order), 1 / len(ORDERS)) for order in ORDERS]


@pytest.mark.parametrize(
    ("reference", "outcomes", "length"),
    [
        (pair_reference(), PAIRS, 2 + 2 * FULL),
        (pair_reference(frozenset({1})), PAIRS, 2 + FULL),
        (absurd_reference(), ABSURD_PAIRS, 1 + FULL),
        (bit_reference(), BITS, 6 + 3 * FULL),
        (order_reference(), MESSAGES, 2 + FULL),
        (kinds_reference(), KINDS, 1 + FULL),
    ],
    ids=["pairs", "dependent pairs", "absurd pairs", "bits", "orders", "kinds"],
)
def test_every_e_value_is_a_supermartingale(reference, outcomes, length):
    """From whatever was seen, the mean of each over all next runs is at most what it is: stop whenever you like.

    The mean after `length` runs, and after any rule that says when to stop, is then at most 1.
    """

    def values(runs):
        examination = Examination(reference)
        for run in runs:
            examination.add(run)
        return np.exp([bet.log_e for group in examination.bets() for bet in group])

    @cache
    def after(word):
        return values([outcomes[i][0] for i in word])

    chances = np.array([p for _, p in outcomes])
    for short in range(length):
        for word in product(range(len(outcomes)), repeat=short):
            following = np.array([after((*word, i)) for i in range(len(outcomes))])
            now = after(word) if word else np.ones(following.shape[1])
            assert np.all(chances @ following <= now * (1 + 1e-9))


def test_coordinates_that_are_missing_from_some_runs_leave_every_e_value_a_supermartingale():
    """Runs 1, 2 and 4 have the first coordinate only, run 3 has both: what is missing is known beforehand."""
    reference, laws = alternating_reference(), (FIRST, SECOND)
    pattern = [(0,), (0,), (0, 1), (0,)]

    def outcomes(number):
        parts = [laws[i].items() if i in pattern[number] else [(MISSING, 1.0)] for i in (0, 1)]
        return [((x, y), p * q) for (x, p), (y, q) in product(*parts)]

    def values(word):
        examination = Examination(reference)
        for outcome in word:
            examination.add(Run(output=outcome))
        return np.exp([bet.log_e for group in examination.bets() for bet in group])

    words = [()]
    for number in range(3 + FULL):
        for word in words:
            following = np.array([p * values((*word, outcome)) for outcome, p in outcomes(number)])
            assert np.all(following.sum(axis=0) <= (values(word) if word else 1.0) * (1 + 1e-9))
        words = [(*word, outcome) for word in words for outcome, _ in outcomes(number)]


def test_stretches_that_come_again_are_bet_on_fairly(monkeypatch):
    """All sequences of fair bits, in stretches of two: the mean of the e-value is at most 1; repeats are counted."""
    monkeypatch.setattr(run_bets, "STRETCH_BITS", 2)
    total, met = 0.0, 0
    for word in product((0, 1), repeat=10):
        sequence = NoiseSequence(np.array([0.5]))
        sequence.length = 2
        for block in (word[:5], word[5:]):
            sequence.add(np.array(block), np.full(5, 0.5))
            sequence.compare()
        earlier = [{word[i : i + 2] for i in range(start - 1)} for start in range(0, 10, 2)]
        expected = sum(word[start : start + 2] in seen for start, seen in zip(range(0, 10, 2), earlier, strict=True))
        assert sequence.tilt.hits == expected
        met += expected
        total += math.exp(sequence.tilt.log_e()) / 2**10
    assert met > 0
    assert total <= 1 + 1e-9


def test_the_value_does_not_depend_on_how_the_runs_are_cut_into_blocks():
    rng, reference = Random(5), pair_reference()
    runs = [Run(output=(rng.randrange(3), rng.randrange(2))) for _ in range(40)]
    found = []
    for looks in ((), (7, 8, 23), tuple(range(40))):
        examination = Examination(reference)
        for number, run in enumerate(runs):
            examination.add(run)
            if number in looks:
                examination.conclusion()
        found.append([bet.log_e for group in examination.bets() for bet in group])
    assert np.allclose(found[0], found[1], atol=1e-9) and np.allclose(found[0], found[2], atol=1e-9)


@pytest.mark.parametrize("places", [4096, 3])
def test_chances_of_the_next_message_are_those_of_all_permutations(places, monkeypatch):
    """Given the first two of five, the third is each label as often as among all orders that begin so.

    The same where only the first three places of a run are looked at.
    """
    monkeypatch.setattr(order_bets, "MOST_PLACES", places)
    messages = [1, 1, 2, 3, 2]
    for order in set(permutations(messages)):
        stack = Stack([np.array([(7, 0), (1, 1)]), np.array([(label, 0) for label in order])])
        chances = Chances(stack, 0)
        for guess in (1, 2, 3, 4):
            same = [other for other in permutations(messages) if other[:2] == order[:2]]
            expected = sum(other[2] == guess for other in same) / len(same)
            left, known = chances.of(np.full(len(chances.values), guess))
            assert abs(left[4] / chances.total[4] - expected) < 1e-12
            assert known[4] == (0 < expected < 1)


@pytest.mark.parametrize("share", [1e-6, 1e-12, 1e-30, 1e-100, 1e-300])
def test_rare_outcomes_have_at_most_their_share_and_as_many_as_can_be(share):
    law = binomial(2000, real(THIRD))
    level, bound = rare_of(law, share)
    exact = [Fraction(comb(2000, x) * 2 ** (2000 - x), 3**2000) for x in range(2001)]
    rare = rare_among(law, np.arange(2001), level)
    mass = sum(exact[x] for x in range(2001) if rare[x])
    assert mass <= Fraction(bound) <= Fraction(share)
    assert mass + min(exact[x] for x in range(2001) if not rare[x]) > Fraction(share) * Fraction(999, 1000)


def test_rare_outcomes_in_the_middle_of_a_law_are_found():
    law = listed({0: 0.5, 1: 1e-40, 2: 0.5})
    assert rare_of(law, 1e-30) == pytest.approx((1e-40, 1e-40))
    assert rare_among(law, np.arange(3), 2e-40).tolist() == [False, True, False]


@pytest.mark.parametrize("law", [binomial(60, real(THIRD)), poisson(real(9)), listed({0: 1 - 1e-8, 3: 1e-8, 4: 1e-40})])
def test_a_rarity_has_mean_at_most_one(law):
    """By exact fractions of the upper ends; an outcome that is not listed has what the listed ones leave."""
    logs = rarities(law)
    masses = [*(float(mass.upper()) for mass in law.masses), float(law.tail.upper())]
    assert any(value > 20 for value in logs)
    assert sum(mass * math.exp(value) for mass, value in zip(masses, logs, strict=True) if mass) <= 1


def test_rare_things_stake_all_on_one_run():
    """A thing of probability 1/4 in each of six runs: the mean over all words is at most 1, at every length."""
    for length in range(1, 7):
        mean = sum(
            math.exp(too_often(sum(word), length, 0.25)) * 0.25 ** sum(word) * 0.75 ** (length - sum(word))
            for word in product((0, 1), repeat=length)
        )
        assert mean <= 1 + 1e-12
    assert too_often(1, 10**5, 1e-30) > 40


def test_doubles_are_below_the_balls():
    rng = Random(3)
    for _ in range(200):
        counts = [rng.randrange(1000) for _ in range(4)]
        weights = [rng.random() + 1e-6 for _ in range(4)]
        masses = [w / sum(weights) for w in weights]
        with ctx.workprec(160):
            logs = [arb(n + 1).lgamma() - n * arb(mass).log() for n, mass in zip(counts, masses, strict=True)]
            ball = float((sum(logs, arb(4).lgamma()) - arb(sum(counts) + 4).lgamma()).mid())
        double = float(spreads(np.array([counts]), np.array([masses]))[0])
        assert ball - 1e-6 < double <= ball


def test_the_ends_of_masses_do_not_depend_on_the_precision_of_who_asks_first():
    law, ends = binomial(7, real("1/3")), []
    for bits in (30, 53, 400):
        ends_of.cache_clear()
        with ctx.workprec(bits):
            ends.append(ends_of(law)[1].tolist())
    assert ends[0] == ends[1] == ends[2]
