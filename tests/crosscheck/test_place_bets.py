"""Bets that places hold ones as often as before: fair under every right shuffle, won where a place is not shuffled."""

from itertools import permutations, product
from math import exp
from random import Random

import numpy as np
import pytest
from panshuffle.crosscheck import order_bets
from panshuffle.crosscheck.order_bets import Places


def log_e(orders):
    places = Places()
    for bits in orders:
        places.add(np.array(bits))
    return places.log_e()


@pytest.mark.parametrize("most", [256, 2])
@pytest.mark.parametrize("ones", [(2, 2, 2, 2), (1, 3, 2, 0)])
def test_the_mean_over_the_next_run_is_at_most_what_it_is(ones, most, monkeypatch):
    """From whatever was seen, with tilts from the first run on; the number of ones in each run is known beforehand."""
    monkeypatch.setattr(order_bets, "FIRST_TILTS", 1)
    monkeypatch.setattr(order_bets, "MOST_HELD_PLACES", most)
    shuffled = [list(set(permutations([1] * number + [0] * (4 - number)))) for number in ones]
    bets = set()
    for length in range(1, len(ones) + 1):
        for word in product(*shuffled[: length - 1]):
            now = log_e(word)
            after = [log_e((*word, order)) for order in shuffled[length - 1]]
            bets.update(after)
            assert sum(map(exp, after)) / len(after) <= exp(now) * (1 + 1e-12)
    assert len(bets) > 10  # something was staked


def test_a_place_that_is_never_shuffled_wins_and_a_right_shuffle_does_not():
    rng = Random(1)

    def shuffled(kept):
        rest = [1] * 5 + [0] * 10
        rng.shuffle(rest)
        return [1, *rest] if kept else rng.sample([1, *rest], 16)

    assert log_e([shuffled(True) for _ in range(200)]) > 100
    assert log_e([shuffled(False) for _ in range(200)]) < 5
