"""What is said of runs: what is proved, what it looks like, and what to do next."""

from random import Random

import pytest
from panshuffle.crosscheck.examination import Examination
from panshuffle.crosscheck.reference.areas import ANALYZER, DATA, MESSAGES, NOISE, PARAMETERS, POOLS, RUNS
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.verdict import Finding
from panshuffle.exact.real import real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_sum import PanSum

from panshuffle.card import reference_of

BITS = reference_of(BinarySum(6, real("1/3")), [1, 1, 0, 0, 0, 0])
COINS = reference_of(Binomial(5, 40, real("1/2")), [1, 0, 1, 1, 0])


def verdict_on(reference, runs):
    examination = Examination(reference)
    for run in runs:
        examination.add(run)
    return examination.conclusion()


def sums(rng, p, runs, size=12):
    for _ in range(runs):
        ones = 2 + sum(rng.random() < p for _ in range(6))
        yield Run({1: (size - ones, ones)}, output=max(0, ones - 6))


def test_another_value_of_a_parameter_is_fitted_with_the_share_that_it_explains():
    verdict = verdict_on(BITS, sums(Random(1), 1 / 6, 4000))
    count, mean, spread = (finding.sentence(4000) for finding in verdict.findings[:3])
    assert count.startswith("pool 1: ones is <= 2 in 1,") and " of 4,000 runs, expected 351.2 (" in count
    assert "the mean is 3.0" in mean and "expected 4 (" in mean and mean.endswith("standard errors less)")
    assert "the standard deviation is 0.9" in spread
    assert verdict.diagnosis.cause.startswith("p fits 0.16") and verdict.diagnosis.cause.endswith("explains 100 %")
    assert verdict.diagnosis.areas == (NOISE, PARAMETERS)


def test_the_value_of_a_parameter_that_is_far_off_is_found():
    rng = Random(2)
    verdict = verdict_on(COINS, (Run(output=3 + sum(rng.random() < 0.5 for _ in range(160))) for _ in range(500)))
    assert "l fits 1" in verdict.diagnosis.cause


def test_what_nothing_explains_is_said_to_be_so():
    """Fair coins, made even: neither a parameter nor a listed mistake explains much of that."""
    rng = Random(3)
    noise = (sum(rng.random() < 0.5 for _ in range(40)) for _ in range(2000))
    verdict = verdict_on(COINS, (Run(output=3 + x - x % 2) for x in noise))
    assert verdict.diagnosis.cause.startswith("nothing known explains ")
    assert verdict.diagnosis.explained < 0.5


def test_a_listed_mistake_is_named_where_it_explains_more_than_any_parameter():
    rng = Random(4)
    verdict = verdict_on(
        BITS, (Run({1: (12 - x, x)}) for x in (sum(rng.random() < 1 / 3 for _ in range(6)) for _ in range(900)))
    )
    assert verdict.diagnosis.cause.startswith('"the data is left out: all bits are 0" explains 100 %')
    assert verdict.diagnosis.area == DATA


def test_parities_that_can_not_be_are_one_sentence():
    rng = Random(5)
    reference = reference_of(ModularSum(4, 3), [1, 0, 0, 0])
    verdict = verdict_on(
        reference, (Run({1: (12 - ones, ones)}) for ones in (2 * rng.randrange(1, 6) for _ in range(200)))
    )
    assert verdict.findings[0].sentence(200) == (
        "pool 1: ones is even in 200 of 200 runs; on this data it is always odd"
    )


def test_numbers_that_can_not_be_name_what_can():
    verdict = verdict_on(BITS, sums(Random(6), 1 / 3, 100, size=14))
    assert verdict.findings[0].sentence(100) == "pool 1: messages is 14 in 100 of 100 runs; only 12 is possible"
    assert MESSAGES in verdict.diagnosis.areas


def test_wrong_outputs_are_shown_beside_the_right_one():
    runs = [Run(run.pools, output=run.pool(1)[1]) for run in sums(Random(7), 1 / 3, 300)]
    verdict = verdict_on(BITS, runs)
    ones = runs[0].pool(1)[1]
    assert verdict.findings[0].sentence(300) == (
        f"output wrong in 300 of 300 runs; run 1: got {ones}, expected {max(0, ones - 6)}"
    )
    assert verdict.diagnosis.area == ANALYZER
    assert verdict.diagnosis.cause.endswith("as if the number of ones is put out, n is not subtracted")


def test_dependence_is_not_taken_for_a_law():
    rng, reference = Random(8), reference_of(PanSum(6, 20), [1, 0, 1, 1, 0, 1], 3)
    noise = [sum(rng.random() < 0.5 for _ in range(20)) for _ in range(600)]
    verdict = verdict_on(reference, (Run(state=2 + x, output=4 + 2 * x) for x in noise))
    assert verdict.diagnosis.area == POOLS
    few = [next(iter(sums(Random(seed % 3), 1 / 3, 1))) for seed in range(600)]
    assert verdict_on(BITS, few).diagnosis.area == RUNS


def test_two_explanations_that_nearly_agree_say_how_many_runs_tell_them_apart():
    """Coins that are 1 more often, and more coins, look alike in some hundred runs."""
    rng = Random(9)
    verdict = verdict_on(COINS, (Run(output=3 + sum(rng.random() < 0.55 for _ in range(40))) for _ in range(200)))
    assert "tell the two best explanations apart" in verdict.diagnosis.following


def test_the_picture_has_bars_of_the_law_and_of_the_runs():
    verdict = verdict_on(BITS, sums(Random(1), 1 / 6, 2000))
    title, *rows = verdict.chart
    assert title == "pool 1: ones: the law (=) and the runs (#)"
    assert len(rows) % 2 == 0 and "=" in rows[0] and "#" in rows[1]
    assert max(row.count("#") for row in rows) == 24
    assert not verdict_on(BITS, sums(Random(1), 1 / 3, 500)).chart


@pytest.mark.parametrize(("expected", "text"), [("10714.6", "10,715"), ("5.619", "5.619"), ("0.0123456", "0.01235")])
def test_numbers_are_those_that_people_write(expected, text):
    finding = Finding("the order of the messages", "the messages", "an event", "15202", expected, 30.0)
    assert finding.sentence(100) == f"the messages: an event: 15,202 times, expected {text}"
