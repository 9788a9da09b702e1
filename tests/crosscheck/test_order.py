"""The order of messages: bets on places are fair, and bad shuffles, each written here once more, are named."""

from itertools import permutations, product
from math import exp
from random import Random

import numpy as np
import pytest
from panshuffle.crosscheck import order_bets
from panshuffle.crosscheck.order_bets import Order, Places
from panshuffle.crosscheck.shuffles import SEEDS, SUBTLE, WAYS, Sent, most_like
from panshuffle.exact.real import real
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.randomness.coins import Coins
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram

from panshuffle.card import reference_of
from tests.conftest import FULL

DATA = [1, 1, 1, 1, 2, 2, 2, 5]
HISTOGRAM = ShuffleHistogram(8, 5, real("1/10"))
RUNS = 300


def users(rng):
    """What the users of the histogram send: for each pool the bit and a noise bit."""
    return [[(j, bit) for j in range(1, 6) for bit in (int(x == j), int(rng.random() < 0.1))] for x in DATA]


def flat(vectors):
    return [message for vector in vectors for message in vector]


def shuffled(rng, items):
    items = list(items)
    rng.shuffle(items)
    return items


def buffered(rng, vectors):
    sent, out = flat(vectors), []
    held, rest = sent[:8], sent[8:]
    for message in rest:
        out.append(held.pop(rng.randrange(8)))
        held.append(message)
    return out + shuffled(rng, held)


def few_swaps(rng, vectors):
    sent = flat(vectors)
    for _ in range(40):
        i, j = rng.randrange(80), rng.randrange(80)
        sent[i], sent[j] = sent[j], sent[i]
    return sent


BAD = {
    "not shuffled at all": lambda rng, vectors: flat(vectors),
    "in reverse order": lambda rng, vectors: flat(vectors)[::-1],
    "users are shuffled, and each user's messages stay together in order": lambda rng, v: flat(shuffled(rng, v)),
    "each user's messages are shuffled, and the users stay in order": lambda rng, v: flat(shuffled(rng, u) for u in v),
    "blocks of about 16 messages are shuffled one by one": lambda rng, v: flat(
        shuffled(rng, flat(v)[start : start + 16]) for start in range(0, 80, 16)
    ),
    "through a small buffer": buffered,
    "too few random swaps, about one for two": few_swaps,
    "sorted by pool": lambda rng, vectors: sorted(shuffled(rng, flat(vectors)), key=lambda message: message[0]),
    "the first message is not shuffled": lambda rng, v: [flat(v)[0], *shuffled(rng, flat(v)[1:])],
    "added after the shuffle": lambda rng, v: shuffled(rng, flat(v[:-1])) + v[-1],
    "the same in every run": lambda rng, vectors: shuffled(Random(7), flat(vectors)),
    "a tenth of the runs": lambda rng, v: flat(v) if rng.random() < 0.1 else shuffled(rng, flat(v)),
}


@pytest.mark.parametrize("words", BAD if FULL else list(BAD)[::10])
def test_a_bad_shuffle_is_named(words):
    rng, reference = Random(words), reference_of(HISTOGRAM, DATA)
    seen = Order(reference.arrangement)
    seen.add([BAD[words](rng, users(rng)) for _ in range(RUNS)])
    assert any(words in name for name in most_like(seen, reference.send)[:2])


@pytest.mark.long
def test_a_fair_shuffle_is_like_no_bad_one():
    reference = reference_of(HISTOGRAM, DATA)
    for seed in range(3):
        rng, seen = Random(seed), Order(reference.arrangement)
        seen.add([shuffled(rng, flat(users(rng))) for _ in range(RUNS)])
        assert most_like(seen, reference.send) == []


def test_nothing_is_named_from_a_few_runs_or_without_messages():
    reference = reference_of(HISTOGRAM, DATA)
    rng, seen = Random(1), Order(reference.arrangement)
    seen.add([flat(users(rng)) for _ in range(10)])
    assert most_like(seen, reference.send) == [] == most_like(seen, None)


@pytest.mark.parametrize("name", [*WAYS, *SEEDS])
def test_every_way_is_a_permutation(name):
    sent = Sent([[(1, 0), (2, 1), (3, 0)], [(1, 1), (2, 0), (3, 0)], [(1, 0), (2, 1)], [(1, 1)]])
    random = np.random.default_rng(3)
    for _ in range(20):
        assert sorted((WAYS | SEEDS)[name](random, sent).tolist()) == list(range(9))


def test_subtle_ways_are_among_all():
    assert set(SUBTLE) <= set(WAYS)


def test_what_users_send_is_what_the_protocol_sends():
    vectors = reference_of(ModularSum(3, 4), [1, 0, 1]).send(Coins(5))
    assert [sum(bit for _, bit in vector) % 2 for vector in vectors] == [1, 0, 1]
    assert {label for vector in vectors for label, _ in vector} == {1}


def log_e_of_places(orders):
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
            now = log_e_of_places(word)
            after = [log_e_of_places((*word, order)) for order in shuffled[length - 1]]
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
