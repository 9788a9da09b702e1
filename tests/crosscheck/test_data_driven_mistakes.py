"""Laws under mistakes that only the diagnosis tries, against runs with the mistake, played here in plain Python.

Each outcome that is expected five times or more is compared within six standard errors; the seeds are fixed.
"""

from collections import Counter
from math import sqrt
from random import Random

import pytest
from panshuffle.crosscheck.mass_tables import binomial
from panshuffle.crosscheck.reference import transformed_tester
from panshuffle.crosscheck.reference.bit_pools import Bits, Copies, bit_bugs
from panshuffle.crosscheck.reference.counters import Counters, with_coins
from panshuffle.crosscheck.reference.hashed import weights_over
from panshuffle.crosscheck.reference.transformed import Stream
from panshuffle.exact.real import log, real
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements

from panshuffle.card import reference_of

DRAWS = 4000


def agree(law, draw, words=""):
    """Whether draws have the law's frequencies."""
    rng = Random(words)
    seen = Counter(draw(rng) for _ in range(DRAWS))
    for x in range(law.first, law.first + len(law.masses)):
        expected = DRAWS * float(law.mass(x).mid())
        if expected >= 5:
            assert abs(seen[x] - expected) <= 6 * sqrt(expected), (words, x)
    assert sum(seen[x] for x in range(law.first, law.first + len(law.masses))) >= DRAWS - 20


def shares(rng, bit, m):
    free = [rng.randrange(2) for _ in range(m - 1)]
    return sum(free) + (bit + sum(free)) % 2


def poisson_draw(rng, mean):
    number, left = 0, rng.expovariate(1.0)
    while left < mean:
        number, left = number + 1, left + rng.expovariate(1.0)
    return number


def test_dummies_that_are_uniform_elements():
    k, m, p, first, before = 3, 2, 0.1, 4, (2, 3)
    good = Stream((first, 3), 1, before, (2,), k, m, real("4/5"), True)

    def ones_in_pool_2(rng):
        holders = [rng.randrange(1, k + 1) for _ in range(first)] + list(before)
        bits = [rng.randrange(2) if x == 2 else int(rng.random() < p) for x in holders]
        return sum(shares(rng, bit, m) for bit in bits)

    agree(good.with_any_dummies()[4], ones_in_pool_2, "dummies")


@pytest.mark.parametrize("place", [1, 2])
def test_elements_that_no_dummy_replaces(place):
    first, stream, t, k, mean = 3, (1, 1, 2, 1), 3, 2, 0.5
    good = transformed_tester.TesterStream(first, stream, t, k, real("1/2"), binomial(4, real("1/3")))

    def pool_1(rng):
        used = min(t, sum(rng.random() < 1 / 3 for _ in range(4)))
        users = [rng.randrange(1, k + 1) for _ in range(first)] + list(stream[:used])
        zeros, ones = (poisson_draw(rng, len(users) * mean / 2) for _ in range(2))
        held = users.count(1)
        return len(users) + zeros + ones if place == 1 else held + ones

    agree(good.without_dummies()[place], pool_1, f"elements {place}")


def test_users_of_one_bit_who_send_no_noise():
    good = Bits(6, (2,), real("1/3"))
    laws = {bug.name: bug.laws() for bug in good.cached()}
    without = laws["users whose bit is 1 send no noise"]
    assert [law.first for law in without[1:2]] == [10]
    agree(without[2], lambda rng: 2 + sum(rng.random() < 1 / 3 for _ in range(4)), "ones")
    assert laws["users whose bit is 0 send no noise"][1].first == 8


def test_hash_values_that_start_at_0():
    """Over all functions (a(x-1) + b) mod 5 mod 3: the first value is in no pool, the last pool is never met."""
    data = (1, 4, 4)
    weights, occupied = weights_over(range(1, 5), range(5), 5, 3, data, first=1)
    seen = [Counter(), Counter(), Counter()]
    held = Counter()
    for a in range(1, 5):
        for b in range(5):
            values = Counter((a * (x - 1) + b) % 5 % 3 for x in data)
            for pool in (1, 2, 3):
                seen[pool - 1][values[pool]] += 1
            held[sum(value > 0 for value in values)] += 1
    for pool in range(3):
        assert {count: float(share) * 20 for count, share in weights[pool]} == pytest.approx(dict(seen[pool]))
    assert {count: float(share) * 20 for count, share in occupied} == pytest.approx(dict(held))


def test_coins_that_are_not_fair():
    good = Counters((2,), (1,), 5, 4, True)
    state, rest = with_coins(good, real("1/4"))
    agree(state, lambda rng: 2 + sum(rng.random() < 0.25 for _ in range(5)), "state")
    agree(rest, lambda rng: 1 + sum(rng.random() < 0.25 for _ in range(4)), "rest")


def flips(rng, bits, p):
    return [bit ^ (rng.random() < p) for bit in bits]


def test_copies_of_a_bit_that_are_another_users_or_carry_nothing():
    """Five users, two of whom hold a 1, send three copies each."""
    good = Copies(15, (6,), real("1/4"), kind="flip", m=3)
    laws = {bug.name: bug.laws() for bug in good.diagnosis_only_mistakes()}
    once_more = "a user whose bit is 1 sends the messages of another, whose bit is 0, once more"

    def copied(rng):
        vector = flips(rng, [0] * 3, 0.25)
        return 2 * sum(vector) + sum(flips(rng, [1] * 3 + [0] * 6, 0.25))

    agree(laws[once_more][2], copied, once_more)
    alone = "only one of the copies carries the bit, the others a 0"
    agree(laws[alone][2], lambda rng: sum(flips(rng, [1] * 2 + [0] * 13, 0.25)), alone)


def test_messages_that_are_sent_for_those_who_left_or_are_zeros():
    good = Bits(4, (2,), real("1/3"))
    bugs = {bug.name: bug.laws() for bug in bit_bugs(good, 6)}
    for bit, held in enumerate(("nothing, or a 0", "1")):
        laws = bugs[f"the dropouts are missing: all n users send messages, those who left as if they held {held}"]
        assert laws[1].first == 12
        agree(laws[2], lambda rng, more=2 * bit: 2 + more + sum(rng.random() < 1 / 3 for _ in range(6)), f"left {bit}")
    zeros = next(fit for fit in good.fitted_mistakes(6) if "zeros stand" in fit.name)

    def lost(rng):
        return sum((rng.random() > 0.3) * (bit + (rng.random() < 1 / 3)) for bit in (1, 1, 0, 0))

    agree(zeros.laws(real("3/10"))[2], lost, "zeros")


def test_hash_values_modulo_one_less():
    """Over all functions (a(x-1) + b) mod 7 mod 3 of the four pools of k' = 4: the last is never held."""
    record = HashedDistinctElements(3, 7, log(real(2)), 2, real(1))
    data, pools = (1, 4, 4), record.protocol.k
    reference = reference_of(record, list(data))
    bug = next(
        bug
        for bug in reference.data_driven_mistakes([Counter() for _ in reference.laws])
        if "modulo k' - 1" in bug.name
    )
    laws = bug.laws()
    q = 1 - 2 * float(record.protocol.p_prime)

    def ones_of(pool):
        def draw(rng):
            a, b = rng.randrange(1, 7), rng.randrange(7)
            values = [1 + (a * (x - 1) + b) % 7 % (pools - 1) for x in data]
            bits = [rng.randrange(2) if value == pool else int(rng.random() < (1 - q) / 2) for value in values]
            return sum(shares(rng, bit, 2) for bit in bits)

        return draw

    agree(laws[2], ones_of(1), "first pool")
    agree(laws[2 * pools], ones_of(pools), "last pool")
