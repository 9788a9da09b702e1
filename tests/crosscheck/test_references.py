"""What the references say of correct runs: the laws of the protocols under all coins."""

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, prod
from random import Random

import pytest
from panshuffle.crosscheck.examination import Examination, examine
from panshuffle.crosscheck.mass_tables import listed
from panshuffle.crosscheck.reference.areas import POOLS
from panshuffle.crosscheck.reference.grouped import landed_in_group
from panshuffle.crosscheck.reference.model import Bug, Reference
from panshuffle.crosscheck.runs import Run, run_of
from panshuffle.exact.errors import InputError
from panshuffle.exact.real import exp, log, real
from panshuffle.protocols.binary_sum import BinarySum
from panshuffle.protocols.binomial import Binomial
from panshuffle.protocols.compressed_uniformity import CompressedUniformity
from panshuffle.protocols.distinct_elements import DistinctElements
from panshuffle.protocols.hashed_distinct_elements import HashedDistinctElements
from panshuffle.protocols.modular_sum import ModularSum
from panshuffle.protocols.pan_distinct_elements import PanDistinctElements
from panshuffle.protocols.pan_histogram import PanHistogram
from panshuffle.protocols.pan_sum import PanSum
from panshuffle.protocols.pan_uniformity import PanUniformity
from panshuffle.protocols.shuffle_histogram import ShuffleHistogram
from panshuffle.protocols.two_bit_sum import TwoBitSum
from panshuffle.protocols.uniformity import Uniformity

from panshuffle.card import card_of, reference_of
from panshuffle.output import jsonable
from tests.brute_force.enumeration import law_of
from tests.crosscheck.test_mass_tables import contains
from tests.crosscheck.zoo import SCENES
from tests.every import every
from tests.unit import laws

QUARTER = real("1/4")
TINY = {
    "binomial": (Binomial(2, 3, real("1/3")), [1, 0], None),
    "binary-sum with a dropout": (BinarySum(3, QUARTER), [1, 0], None),
    "modular-sum": (ModularSum(2, 3), [1, 0], None),
    "distinct-elements": (DistinctElements(2, 2, log(real("4/3")), 2), [1, 1], None),
    "distinct-elements with a dropout": (DistinctElements(2, 3, log(real("4/3")), 2), [3], None),
    "hashed-distinct-elements": (HashedDistinctElements(2, 3, log(real("4/3")), 1, real(1)), [1, 2], None),
    "shuffle-histogram": (ShuffleHistogram(2, 2, QUARTER), [1, 1], None),
    "two-bit-sum": (TwoBitSum(2, QUARTER), [(0, 1), (1, 1)], None),
    "pan-sum": (PanSum(2, 3), [1, 1], 1),
    "pan-sum without a state": (PanSum(2, 3), [1, 0], None),
    "pan-histogram": (PanHistogram(2, 2, 2), [1, 2], 1),
    "pan-distinct-elements": (PanDistinctElements(DistinctElements(3, 2, log(real("8/7")), 1)), [2], 1),
}


def line_of(record, data, t, coins):
    line = card_of(record).runner(record).once(data, coins, t=t)
    return json.loads(json.dumps({key: jsonable(value) for key, value in line.items()}))


@every("name", TINY)
def test_references_are_the_laws_of_the_protocols_under_all_coins(name):
    """Every coordinate's marginal; and the joint law of those that are said to be independent is their product."""
    record, data, t = TINY[name]
    reference = reference_of(record, data, t)
    joint = law_of(lambda coins: reference.read(run_of(line_of(record, data, t, coins), "run")))
    for i, law in enumerate(reference.laws):
        marginal = laws.image(joint, lambda outcome, i=i: outcome[i])
        assert all(contains(law.mass(x), mass) for x, mass in marginal.items())
        assert abs(sum(float(law.mass(x).mid()) for x in marginal) - 1) < 1e-12
    together = [i for i in range(len(reference.laws)) if i not in reference.dependent]
    for outcome, mass in laws.image(joint, lambda outcome: tuple(outcome[i] for i in together)).items():
        expected = prod(float(reference.laws[i].mass(x).mid()) for i, x in zip(together, outcome, strict=True))
        assert abs(float(mass) - expected) < 1e-12


def test_the_groups_of_a_compressed_domain_by_listing_all_partitions():
    """k = 5 elements, padded to 6, in groups of two: every order of the labels, every spot of every user."""
    data, k, groups = (1, 1, 4), 5, 3
    labels = [g for g in range(groups) for _ in range(2)]
    law: Counter = Counter()
    orders = set(permutations(labels))
    for order in orders:
        for spots in product(range(6), repeat=len(data)):
            landed = sum(order[spot if spot >= k else x - 1] == 0 for x, spot in zip(data, spots, strict=True))
            law[landed] += Fraction(1, len(orders) * 6 ** len(data))
    table = landed_in_group(k, groups, data)
    assert all(contains(table.mass(x), mass) for x, mass in law.items())
    record = CompressedUniformity.repaired(3, 5, 3, real(2), real(3))
    reference = reference_of(record, list(data))
    assert reference.dependent - reference.sums == {2, 4, 6}
    assert reference.sums == {7, 8, 9, 10}


def test_two_groups_together_by_listing_all_partitions():
    """k = 7 elements, padded to 8, in groups of two: how many users land in the first or the second of four."""
    data, k, groups = (1, 1, 4, 7), 7, 4
    orders = set(permutations([g for g in range(groups) for _ in range(2)]))
    law: Counter = Counter()
    for order in orders:
        for spots in product((0, 7), repeat=len(data)):
            chance = prod(Fraction(1, 8) if spot == 7 else Fraction(7, 8) for spot in spots)
            landed = sum(order[spot if spot >= k else x - 1] < 2 for x, spot in zip(data, spots, strict=True))
            law[landed] += chance / len(orders)
    table = landed_in_group(k, groups, data, together=2)
    assert all(contains(table.mass(x), mass) for x, mass in law.items())


def test_the_ones_of_a_state_given_the_elements_still_used_by_listing_all_choices():
    """Q_P on P_UT: nine users, three elements, two of them so far: every number of used ones and every dummy."""
    record = PanUniformity(Uniformity.repaired(9, 3, real(9), real(9)))
    stream, t, first = [1, 2, 2], 2, 3
    reference = reference_of(record, stream, t)
    holders: Counter = Counter()
    for used in range(10):
        chance = Fraction(comb(9, used)) * Fraction(2, 9) ** used * Fraction(7, 9) ** (9 - used)
        kept = min(used, 3)
        dummies = first + t - min(kept, t)
        for choice in product((1, 2, 3), repeat=dummies):
            held = stream[: min(kept, t)] + list(choice)
            holders[max(0, kept - t), held.count(1), held.count(1) + held.count(2)] += chance / 3**dummies
    ones = [float(mass) for mass in laws.poisson(Fraction(5, 2), 60).values()]
    both = [float(mass) for mass in laws.poisson(Fraction(5), 60).values()]
    for left in (0, 1):
        total = float(sum(mass for (other, _, _), mass in holders.items() if other == left))
        law = reference.given[0].law((left,))
        for x in range(12):
            parts = ((float(p), held) for (other, held, _), p in holders.items() if other == left)
            expected = sum(p * ones[x - held] for p, held in parts if x >= held) / total
            assert abs(float(law.mass(x).mid()) - expected) < 1e-12
    pair = reference.laws[min(reference.sums)]
    for x in range(12):
        expected = sum(float(p) * both[x - held] for (_, _, held), p in holders.items() if x >= held)
        assert abs(float(pair.mass(x).mid()) - expected) < 1e-12
    assert reference.names[min(reference.sums)] == "pools 1 and 2 together: ones"


def test_the_output_given_the_state_is_that_under_all_coins():
    record, data, t = TINY["pan-distinct-elements"]
    reference = reference_of(record, data, t)
    joint = law_of(lambda coins: reference.read(run_of(line_of(record, data, t, coins), "run")))
    (given,) = reference.given
    states = laws.image(joint, given.key)
    assert len(states) > 1
    for (key, value), mass in laws.image(joint, lambda row: (given.key(row), given.value(row))).items():
        assert contains(given.law(key).mass(value), mass / states[key])


@pytest.mark.parametrize("eps", ["1e-12", "1", "40", "800"])
def test_outputs_stand_for_odd_pools_at_every_eps(eps):
    """The estimate (2e^eps c - k)/(e^eps - 1), rounded to a double, is read as c, and any other number is not."""
    record = PanDistinctElements(DistinctElements(9, 40, real(eps), 2))
    read = reference_of(record, [1, 2, 3], None).read
    for odd in (0, 7, 20, 40):
        estimate = float((2 * odd - 40 * exp(-real(eps))) / (1 - exp(-real(eps))))
        assert read(Run(output=estimate)) == (odd,)
    assert read(Run(output=1e299)) == (-1,)


@pytest.mark.parametrize(("users", "m"), [(6500, 1), (7000, 1), (2200, 3)])
def test_many_users_with_few_shares(users, m):
    """With one share the pool is what the users hold; with three the law is that of fair bits but for a parity."""
    examination = Examination(reference_of(ModularSum(users, m), [1] * 3 + [0] * (users - 3)))
    law = examination.reference.laws[2]
    rng = Random(2)
    for _ in range(40):
        ones = 3 if m == 1 else sum(rng.getrandbits(1) for _ in range(users * m - 1))
        ones += (ones + 1) % 2
        examination.add(Run(pools={1: (users * m - ones, ones)}))
    assert examination.conclusion().consistent
    assert float(law.up_to(users * m // 2).rad()) < 1e-9
    if m == 3:
        bits = comb(users * m, 3301) / Fraction(2 ** (users * m - 1))
        assert abs(float(law.mass(3301).mid()) / float(bits) - 1) < 1e-2


def test_a_law_too_rough_for_evidence_is_said_to_be():
    """With one share all is certain; with two, ones are 3 and twice Bin(29997, 1/2), which is not computed."""
    data = [1] * 3 + [0] * 29_997
    for m, ones, words in ((1, 3, "every outcome is certain"), (2, 29_999, "too rough at this size")):
        examination = Examination(reference_of(ModularSum(30_000, m), data))
        examination.add(Run(pools={1: (30_000 * m - ones, ones)}))
        assert words in examination.conclusion().resolution


def test_a_mistake_whose_law_is_too_large_is_left_out():
    def refuse():
        raise InputError("too many")

    law = listed({0: 0.5, 1: 0.5})
    reference = Reference(("x",), (law,), lambda run: (run.output,), (Bug("large", "the noise", refuse),))
    assert [reference.listed_laws(bug) for bug in reference.bugs] == [(law,)]
    examination = Examination(reference)
    examination.add(Run(output=1))
    assert examination.conclusion().consistent


def test_a_coin_that_the_pools_of_a_user_share_is_found():
    """Pools that share a user's coin agree in parity more often, so that their sum is even; nothing else shows it."""
    rng, record = Random(6), DistinctElements(2, 2, log(real("4/3")), 4)

    def lines():
        for _ in range(4096):
            pools = {1: [0, 0], 2: [0, 0]}
            for _ in range(2):
                coin = rng.random() < float(record.p_prime)
                for j in (1, 2):
                    bits = [rng.getrandbits(1) for _ in range(3)]
                    for bit in (*bits, (sum(bits) + coin) % 2):
                        pools[j][bit] += 1
            yield Run({j: (zeros, ones) for j, (zeros, ones) in pools.items()})

    reference = reference_of(record, [0, 0])
    verdict = examine(reference, lines())
    assert not verdict.consistent
    assert verdict.diagnosis.area == POOLS
    assert "even" in verdict.findings[0].sentence(verdict.runs)


@pytest.mark.parametrize("name", SCENES)
def test_no_protocol_lists_more_than_ten_mistakes(name):
    """Of what is sent, and of the analyzer: all others are values of parameters, or are shown and not named."""
    scene = SCENES[name]
    whole = reference_of(scene.record, scene.data, scene.t)
    for reference in filter(None, (whole, whole.hash_agnostic, whole.conditioned)):
        assert max(len(reference.bugs), len(reference.wrong_analyzers)) <= 10
