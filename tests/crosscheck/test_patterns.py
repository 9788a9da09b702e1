"""What the first runs show one after another, and what wrong outputs have in common: named, and never of right runs."""

from random import Random

import numpy as np
import pytest
from panshuffle.crosscheck.bets import Columns
from panshuffle.crosscheck.mass_tables import binomial
from panshuffle.crosscheck.output_mistakes import plain, relation
from panshuffle.crosscheck.reference.areas import POOLS, RUNS, STATE
from panshuffle.crosscheck.reference.model import Reference
from panshuffle.crosscheck.runs import Run
from panshuffle.crosscheck.unexplained import FirstRuns
from panshuffle.exact.real import HALF

COINS, RUNS_MADE = 16, 400
NAMES = tuple(f"bin {j}: {kind}" for j in (1, 2, 3) for kind in ("state", "output - state"))


def draws(seed, size=6):
    rng = Random(seed)
    return np.array([[rng.getrandbits(COINS).bit_count() for _ in range(size)] for _ in range(RUNS_MADE)])


def pattern(rows):
    first = FirstRuns(Columns(Reference(NAMES, (binomial(COINS, HALF),) * 6, lambda run: run.output)))
    for start in range(0, len(rows), 100):
        first.add(rows[start : start + 100])
    return first.pattern()


@pytest.mark.parametrize("seed", range(20))
def test_right_runs_show_no_pattern(seed):
    assert pattern(draws(seed)) is None


def test_sorted_noise_is_named():
    rows = draws(1)
    rows[:, 1::2] = np.sort(rows[:, 1::2], axis=1)
    words, area, _ = pattern(rows)
    assert (area, words.endswith("sorted in every run: output - state")) == (POOLS, True)


def test_equal_noise_is_not_called_sorted():
    rows = draws(1)
    rows[:] = rows[:, :1]
    assert pattern(rows) is None


@pytest.mark.parametrize(("by", "words"), [(1, "before"), (-1, "after")])
def test_a_state_of_another_run_is_named(by, words):
    rows = draws(2)
    output = rows[:, 2] + rows[:, 3]
    rows[:, 2] = np.roll(rows[:, 2], by)
    rows[:, 3] = output - rows[:, 2]
    found, area, _ = pattern(rows[1:-1])
    assert (area, found.startswith(f"bin 2: state: it is that of the run {words}")) == (STATE, True)


def test_noise_that_adds_up_is_named():
    rows = draws(3)
    rows[:, 0] = np.cumsum(rows[:, 0] - COINS // 2) + COINS // 2
    words, area, _ = pattern(rows)
    assert (area, "adds up" in words) == (RUNS, True)


def test_coins_that_stay_are_named():
    """A quarter of the coins is new in each run."""
    rng = Random(4)
    coins = [rng.getrandbits(1) for _ in range(COINS)]
    rows = draws(4)
    for i in range(RUNS_MADE):
        for place in range(4 * i, 4 * i + 4):
            coins[place % COINS] = rng.getrandbits(1)
        rows[i, 0] = sum(coins)
    words, area, _ = pattern(rows)
    share = int(
        words.removeprefix("bin 1: state: about ").removesuffix(" % of the coins of a run are those of the run before")
    )
    assert area == RUNS
    assert 70 <= share <= 80


def kept(pairs, ones=None):
    """Runs with their outputs, and what these should be."""
    counts = ones or [0] * len(pairs)
    return [
        (number, Run(pools={1: (0, count)}, output=output), expected)
        for number, ((expected, output), count) in enumerate(zip(pairs, counts, strict=True), start=1)
    ]


def test_plain_mistakes_of_outputs_are_named():
    assert plain(kept([("uniform", "uniform"), ("not uniform", "uniform")] * 5)).startswith('the answer is always "uni')
    assert "wrong side" in plain(kept([(max(0, x), min(0, x)) for x in range(-6, 7)]))
    assert plain(kept([(x % 2, x % 5) for x in range(30)], [*range(30)])) == "the ones are counted modulo 5"
    assert plain(kept([(x % 2, x) for x in range(9)], [*range(9)])) is None
    assert plain(kept([(x, x + 1) for x in range(9)])) is None


def test_numbers_that_wrap_around_are_named():
    wrong = kept([(max(0, x), x % 2**32) for x in range(-9, 0)])
    right = kept([(x, x) for x in range(1, 9)])
    assert "wrap around at 2^32" in relation(wrong, right, len(wrong), len(wrong) + len(right))
    shifted = kept([(x, x - 256) for x in range(128, 140)])
    assert "2^8" in relation(shifted, right, len(shifted), len(shifted) + len(right))
    halves = kept([(x, x / 2) for x in range(1000, 1012)])
    assert "wrap" not in relation(halves, [], len(halves), len(halves))
