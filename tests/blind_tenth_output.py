"""Analyzers that debias, round, sort or clamp what they should not."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, OUTPUT, Bug, bug, evidence_of
from tests.blind_zoo_draws import binomial
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import shown


def unsigned_difference(self, ones):
    return (ones - self.n) % (1 << 32)


def estimate_with_integer_division(self, pools):
    zeros, ones = pools[0]
    return math.floor((ones - (zeros + ones) * self.p) / (self.m * (1 - 2 * self.p)))


def statistic_with_data_in_the_noise_scale(self, pools):
    centre = Fraction(self.m, self.labels)
    counts = [ones - Fraction(zeros + ones, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 - c for c in counts) / centre


def estimate_with_the_large_domain(self, count):
    return shown((2 * count * self.exp_eps - self.k) / (self.exp_eps - 1))


def mean_of_noise_subtracted(self, state, rng):
    return state + binomial(rng, self.lam, self.chance) - self.lam


def largest_counts_first(self, pools):
    return sorted((self.above(ones) for _, ones in pools), reverse=True)


def absolute_value(self, rng):
    return {"output": abs(self.value() + self.noise(rng))}


def absolute_value_evidence(scene, runs):
    law = machine(scene).coordinates()[0]
    folded = {v: mass + (law.get(-v, 0.0) if v else 0.0) for v, mass in law.items() if v >= 0}
    return evidence_of([folded], [law], runs)


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-unsigned-difference-wraps",
        "binary-sum",
        OUTPUT,
        "The analyzer subtracts n in unsigned 32-bit arithmetic, which wraps below zero instead of being clamped to 0.",
        300,
        evidence=CERTAIN,
        above=unsigned_difference,
    ),
    bug(
        "tenth-estimate-by-integer-division",
        "poisson-binomial",
        OUTPUT,
        "The analyzer divides with integer division, so the estimate is rounded down to a whole number.",
        300,
        evidence=CERTAIN,
        analyze=estimate_with_integer_division,
    ),
    bug(
        "tenth-noise-scale-counts-data",
        "uniformity-default",
        OUTPUT,
        "The analyzer does not subtract n from the size of a pool, so the noise scale also counts the data messages.",
        500,
        evidence=CERTAIN,
        statistic=statistic_with_data_in_the_noise_scale,
    ),
    bug(
        "tenth-estimate-with-the-large-domain",
        "hashed",
        OUTPUT,
        "The analyzer debiases with the size k of the domain before hashing instead of the number of hashed labels.",
        300,
        evidence=CERTAIN,
        estimate=estimate_with_the_large_domain,
    ),
    bug(
        "tenth-mean-of-noise-subtracted",
        "pan-sum-formula",
        OUTPUT,
        "The output has the mean lam of both noises subtracted, although the algorithm publishes the noisy sum itself.",
        300,
        evidence=CERTAIN,
        output=mean_of_noise_subtracted,
    ),
    bug(
        "tenth-largest-counts-first",
        "histogram-uneven",
        OUTPUT,
        "The histogram is returned with the largest count first (most_common) instead of in the order of the labels.",
        300,
        evidence=CERTAIN,
        analyze=largest_counts_first,
    ),
    bug(
        "tenth-absolute-value-of-count",
        "geometric-wide",
        OUTPUT,
        "Because a count can't be negative, the absolute value of the noisy count is published.",
        500,
        evidence=absolute_value_evidence("geometric-wide", 500),
        run=absolute_value,
    ),
)
