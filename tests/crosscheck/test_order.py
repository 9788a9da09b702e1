"""The order of messages: bets on places are fair, and find what is not."""

from itertools import permutations, product
from math import exp
from random import Random

import numpy as np
import pytest
from panshuffle.crosscheck import order_bets
from panshuffle.crosscheck.examination import Examination
from panshuffle.crosscheck.order_bets import PlaceTable
from panshuffle.crosscheck.reference.areas import ORDER
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.real import real
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram

from panshuffle.card import reference_of


def log_e_of_places(orders, places=256):
    table = PlaceTable(places)
    for kinds in orders:
        table.add(np.array(kinds))
    return table.bet(str).log_e


@pytest.mark.parametrize(("most", "kinds"), [(256, 64), (2, 64), (256, 1)])
@pytest.mark.parametrize(
    "runs", [("1100", "1100", "1100", "1100"), ("1000", "1110", "1100", "0000"), ("2210", "2103", "5510")]
)
def test_the_mean_over_the_next_run_is_at_most_what_it_is(runs, most, kinds, monkeypatch):
    """From whatever was seen, with tilts from the first run on; what each run holds is known beforehand."""
    monkeypatch.setattr(order_bets, "FIRST_TILTS", 1)
    monkeypatch.setattr(order_bets, "MOST_KINDS", kinds)
    shuffled = [list(set(permutations(map(int, run)))) for run in runs]
    bets = set()
    for length in range(1, len(runs) + 1):
        for word in product(*shuffled[: length - 1]):
            now = log_e_of_places(word, most)
            after = [log_e_of_places((*word, order), most) for order in shuffled[length - 1]]
            bets.update(after)
            assert sum(map(exp, after)) / len(after) <= exp(now) * (1 + 1e-12)
    assert len(bets) > 10  # something was staked


def test_a_place_that_is_never_shuffled_wins_and_a_right_shuffle_does_not():
    rng = Random(1)

    def kept_in_front(kept):
        rest = [1] * 5 + [0] * 10
        rng.shuffle(rest)
        return [1, *rest] if kept else rng.sample([1, *rest], 16)

    assert log_e_of_places([kept_in_front(True) for _ in range(200)]) > 100
    assert log_e_of_places([kept_in_front(False) for _ in range(200)]) < 5


def naive(rng, messages):
    """Every place is exchanged with any other place, not with one of those that are left."""
    for i in range(len(messages)):
        j = rng.randrange(len(messages))
        messages[i], messages[j] = messages[j], messages[i]


def test_a_naive_shuffle_of_labelled_messages_is_found():
    """Twelve messages: labels alone and bits alone show little, pairs of them show the places that they come from."""
    data, rng = [1, 2], Random(7)
    examination = Examination(reference_of(ShuffleHistogram(2, 3, real("1/4")), data))
    for _ in range(20_000):
        messages = [(j, bit) for x in data for j in (1, 2, 3) for bit in (int(x == j), int(rng.random() < 0.25))]
        naive(rng, messages)
        pools = {j: [0, 0] for j in (1, 2, 3)}
        for j, bit in messages:
            pools[j][bit] += 1
        examination.add(Run({j: tuple(pool) for j, pool in pools.items()}, tuple(messages)))
    verdict = examination.conclusion()
    assert not verdict.consistent
    assert verdict.diagnosis.area == ORDER
    assert verdict.evidence > 80
    assert "place " in verdict.findings[0].event and " with bit " in verdict.findings[0].event
