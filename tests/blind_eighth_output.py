"""Eighth zoo: analyzers that answer wrongly."""

from __future__ import annotations

from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, OUTPUT, bug
from tests.blind_zoo_protocols import shown


def not_per_message(self, pools):
    zeros, ones = pools[0]
    return shown((ones - (zeros + ones) * self.p) / (1 - 2 * self.p))


def not_cut_at_zero(self, ones):
    return ones - self.n


def rounded(self, count):
    return round((2 * count * self.exp_eps - self.labels) / (self.exp_eps - 1))


def ties_not_uniform(self, pools):
    return "not uniform" if self.statistic(pools) >= self.tau else "uniform"


def centre_of_the_domain(self, pools):
    centre = Fraction(self.m, self.k)
    counts = [ones - Fraction(zeros + ones - self.n, 2) for zeros, ones in pools]
    return sum((c - centre) ** 2 - c for c in counts) / centre


def whole_domain(self, count):
    return shown((2 * count * self.exp_eps - self.k) / (self.exp_eps - 1))


BUGS = (
    bug(
        "estimate-not-divided-by-m",
        "poisson-binomial",
        OUTPUT,
        "The analyzer does not divide its estimate by the m messages that each user sends.",
        64,
        CERTAIN,
        analyze=not_per_message,
    ),
    bug(
        "negative-counts-returned",
        "binary-sum-large",
        OUTPUT,
        "The analyzer returns ones - n also where this is negative, instead of 0.",
        300,
        CERTAIN,
        above=not_cut_at_zero,
    ),
    bug(
        "estimate-rounded",
        "distinct-few-messages",
        OUTPUT,
        "The estimate of the number of distinct elements is rounded to the nearest integer.",
        64,
        CERTAIN,
        estimate=rounded,
    ),
    bug(
        "tie-is-not-uniform",
        "uniformity",
        OUTPUT,
        "The analyzer compares the statistic with tau by >= instead of >.",
        6000,
        CERTAIN,
        analyze=ties_not_uniform,
    ),
    bug(
        "statistic-over-the-whole-domain",
        "compressed",
        OUTPUT,
        "The analyzer's statistic is centred at and scaled by m/k, with the size of the original domain, instead of"
        " m/k-hat.",
        200,
        CERTAIN,
        statistic=centre_of_the_domain,
    ),
    bug(
        "domain-size-in-the-estimate",
        "hashed",
        OUTPUT,
        "The analyzer subtracts the size k of the original domain instead of the number of hash values.",
        64,
        CERTAIN,
        estimate=whole_domain,
    ),
)
