"""What samples of neighbouring inputs prove of eps."""

import math
from fractions import Fraction
from math import comb
from random import Random

import pytest

from crosscheck.audit import audit, lower_probability, upper_probability
from crosscheck.runs import Run
from exact.numbers.real import real
from panshuffle.references import reference_of
from protocols.binary_sum import BinarySum

HALF = Fraction(1, 2)


@pytest.mark.parametrize(("hits", "runs"), [(0, 10), (3, 10), (10, 10), (40, 100)])
def test_clopper_and_pearson_by_sums_of_fractions(hits, runs):
    error = Fraction(1, 1000)

    def at_least(p):
        return sum(comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(hits, runs + 1))

    def at_most(p):
        return sum(comb(runs, k) * p**k * (1 - p) ** (runs - k) for k in range(hits + 1))

    low, high = lower_probability(hits, runs, error), upper_probability(hits, runs, error)
    assert low <= Fraction(hits, runs) <= high
    assert hits == 0 or at_least(low) <= error < at_least(low + Fraction(1, 10**9))
    assert hits == runs or at_most(high) <= error < at_most(high - Fraction(1, 10**9))


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
