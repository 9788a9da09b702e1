"""What samples of neighbouring inputs prove of eps."""

import math
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import numpy as np
from panshuffle.crosscheck.audit import audit, counted, learned, logs_of
from panshuffle.crosscheck.runs import Run
from panshuffle.exact.real import real
from panshuffle.protocols.binary_sum import BinarySum

from panshuffle.card import reference_of

HALF = Fraction(1, 2)


def test_the_product_over_pairs_has_mean_at_most_one_at_every_look():
    """All sequences of three pairs under laws with P[A] = e^eps Q[A] + delta: each step's mean is at most the value."""
    eps, delta, q = math.log(2), 0.125, 0.25
    p = 2 * q + delta
    chances = {(x, y): (p if x else 1 - p) * (q if y else 1 - q) for x in (0, 1) for y in (0, 1)}

    def value(word):
        first, second = np.array(word, dtype=bool).reshape(-1, 2).T
        return math.exp(float(logs_of([counted("A", first, second)], eps, delta)[0]))

    for length in range(3):
        for word in product(chances, repeat=length):
            mean = sum(chance * value((*word, pair)) for pair, chance in chances.items())
            assert mean <= (value(word) if word else 1) * (1 + 1e-9)
    assert value([(1, 0)] * 40) > 1e4


def test_a_learned_event_looks_at_earlier_pairs_only():
    """The counts of the pairs of a stretch do not change with what comes after it."""
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 5, (600, 2)) for _ in range(2)]
    before = [pairs.counts for pairs in learned(rows[0][:512], rows[1][:512], 0.1)]
    after = [pairs.counts for pairs in learned(*rows, 0.1)]
    assert all(sum(b) == 384 and sum(a) == 472 for a, b in zip(after, before, strict=True))
    for a, b in zip(after, before, strict=True):
        assert all(x >= y for x, y in zip(a, b, strict=True))


def test_right_implementations_are_never_said_to_violate(sweep_factor):
    """At error 1/20 the bound is above the exact eps in at most a twentieth of the samples."""
    record, data, other = BinarySum(3, real(HALF)), [1, 0, 0], [0, 0, 0]
    references = (reference_of(record, data), reference_of(record, other))
    exact = math.log(3) + 1e-9  # P[X = x]/P[X = x - 1] for Bin(3, 1/2), where both are positive
    wrong = 0
    for seed in range(20 * sweep_factor):
        runs = (sampled_bits(data, 0.5, 2 * seed, 400), sampled_bits(other, 0.5, 2 * seed + 1, 400))
        wrong += float(audit(references, runs, real("1/8"), Fraction(1, 20)).eps) > exact
    assert wrong <= 1 + sweep_factor


def test_a_leak_beside_the_pools_is_proved():
    """The pools are right, but the first message tells whether the first user holds 1."""
    record, data, other = BinarySum(6, real(HALF)), [1, 0, 0, 0, 0, 0], [0] * 6
    references = (reference_of(record, data), reference_of(record, other))

    def leaking(bits, seed):
        rng = Random(seed)
        for _ in range(4000):
            rest = [*bits[1:], *(int(rng.random() < 0.5) for _ in bits)]
            rng.shuffle(rest)
            messages = tuple((1, bit) for bit in (bits[0], *rest))
            ones = sum(bit for _, bit in messages)
            yield Run({1: (12 - ones, ones)}, messages)

    bound = audit(references, (leaking(data, 1), leaking(other, 2)), real("1/100"), Fraction(1, 10**9))
    assert float(bound.eps) > 3.5
    assert "earlier runs" in bound.event


def test_a_frequent_leak_is_proved_where_delta_is_large():
    """In half of the runs the first message is the second user's bit: P[first = 1] is 0.704 against 0.191 or so."""
    record, data, other = BinarySum(20, real(HALF)), [0, 1, *[0] * 18], [0] * 20
    references = (reference_of(record, data), reference_of(record, other))

    def leaking(bits, seed):
        rng = Random(seed)
        for _ in range(20_000):
            messages = [*bits, *(int(rng.random() < 0.5) for _ in bits)]
            rng.shuffle(messages)
            if rng.random() < 0.5:
                place = messages.index(bits[1])
                messages[0], messages[place] = messages[place], messages[0]
            ones = sum(messages)
            yield Run({1: (40 - ones, ones)}, tuple((1, bit) for bit in messages))

    bound = audit(references, (leaking(data, 1), leaking(other, 2)), real("1/10"), Fraction(1, 10**9))
    assert float(bound.eps) > 0.8


def sampled_bits(data, p, seed, runs):
    rng = Random(seed)
    for _ in range(runs):
        ones = sum(data) + sum(rng.random() < p for _ in data)
        yield Run(pools={1: (2 * len(data) - ones, ones)})


def test_samples_prove_a_lower_bound_that_the_exact_curve_allows():
    record, data, other = BinarySum(6, real(HALF)), [1, 0, 0, 0, 0, 0], [0] * 6
    references = (reference_of(record, data), reference_of(record, other))
    bound = audit(
        references,
        (sampled_bits(data, 0.5, 1, 20_000), sampled_bits(other, 0.5, 2, 20_000)),
        real("1/100"),
        Fraction(1, 10**9),
    )
    truth = max(
        math.log((float(up) - 0.01) / float(down))
        for cut in range(7)
        for up, down in [
            (
                sum(Fraction(comb(6, x - 1), 64) for x in range(max(1, cut), 8)),
                sum(Fraction(comb(6, x), 64) for x in range(cut, 7)),
            ),
            (
                sum(Fraction(comb(6, x), 64) for x in range(cut + 1)),
                sum(Fraction(comb(6, x - 1), 64) for x in range(1, cut + 1)),
            ),
        ]
        if down and up > Fraction(1, 100)
    )
    assert 0.3 < float(bound.eps) <= truth


def test_samples_without_noise_prove_that_privacy_is_violated():
    record, data, other = BinarySum(6, real(HALF)), [1, 0, 0, 0, 0, 0], [0] * 6
    references = (reference_of(record, data), reference_of(record, other))
    bound = audit(
        references,
        (sampled_bits(data, 0.0, 1, 2000), sampled_bits(other, 0.0, 2, 2000)),
        real("1/100"),
        Fraction(1, 10**9),
    )
    assert float(bound.eps) > 3
