"""Noise that is drawn from the wrong law: approximations, tables, and units of samplers."""

from __future__ import annotations

import math
from statistics import NormalDist

from tests.blind_zoo_bug import NOISE, Bug, bug, evidence_of
from tests.blind_zoo_draws import (
    as_law,
    binomial,
    binomial_masses,
    bits,
    convolved,
    divergence,
    geometric,
    inverse,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine

TABLE = 11
"""Entries of the short table of Poisson masses."""


def truncated_normal(self, rng):
    drawn = int(rng.gauss(self.l * self.flip, math.sqrt(self.l * self.flip * (1 - self.flip))))
    return min(max(drawn, 0), self.l)


def truncated_normal_evidence(scene, runs):
    right = machine(scene)
    normal = NormalDist(right.l * right.flip, math.sqrt(right.l * right.flip * (1 - right.flip)))
    law = {v: normal.cdf(v + 1) - (normal.cdf(v) if v else 0) for v in range(right.l)}
    law[right.l] = 1 - normal.cdf(right.l)
    return evidence_of([shifted(law, right.value())], right.coordinates(), runs)


def poisson_of_short_table(rng, mean):
    return inverse(rng, poisson_masses(float(mean))[:TABLE])


def skellam_of_short_table(self, rng):
    return poisson_of_short_table(rng, self.mean) - poisson_of_short_table(rng, self.mean)


def short_table_evidence(scene, runs):
    right = machine(scene)
    head = poisson_masses(float(right.mean))[: TABLE - 1]
    law = as_law((*head, 1 - sum(head)))
    wrong = shifted(convolved(law, {-v: mass for v, mass in law.items()}), right.value())
    return evidence_of([wrong], right.coordinates(), runs)


def coins_for_poisson(self, x, rng):
    flips = int(2 * self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, binomial(rng, flips, 0.5)))]


def coins_for_poisson_evidence(scene, runs):
    right = machine(scene)
    users, mean = len(right.people), float(right.mean)
    wrong = as_law(binomial_masses(int(2 * mean) * users, 0.5))
    return runs * right.labels * divergence(wrong, as_law(poisson_masses(mean * users)))


def signed_geometric(self, rng):
    return rng.choice((-1, 1)) * geometric(rng, float(1 / self.exp_eps))


def signed_geometric_evidence(scene, runs):
    right = machine(scene)
    r, law = float(1 / right.exp_eps), right.coordinates()[0]
    wrong = {v: (1 - r) * r ** abs(v - right.value()) / (1 if v == right.value() else 2) for v in law}
    return evidence_of([wrong], [law], runs)


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-nibble-compared-with-at-most",
        "binary-sum-large",
        NOISE,
        "The noise bit is 1 when four random bits are <= 16 p instead of < 16 p, so its probability is 13/16.",
        400,
        flip=13 / 16,
    ),
    bug(
        "tenth-normal-approximation-truncated",
        "binomial-uneven",
        NOISE,
        "The binomial noise is a normal approximation that is cast to int, which truncates instead of rounding.",
        4000,
        evidence=truncated_normal_evidence("binomial-uneven", 4000),
        noise=truncated_normal,
    ),
    bug(
        "tenth-rate-for-probability",
        "negative-binomial-rare",
        NOISE,
        "The geometric draws are floors of exponentials with rate p instead of rate -ln(1-p).",
        20_000,
        flip=1 - math.exp(-0.1),
    ),
    bug(
        "tenth-poisson-table-too-short",
        "skellam",
        NOISE,
        "The Poisson sampler's table of cumulative masses ends at 10, so every larger value comes out as 10.",
        20_000,
        evidence=short_table_evidence("skellam", 20_000),
        noise=skellam_of_short_table,
    ),
    bug(
        "tenth-random-answer-instead-of-flip",
        "two-bit-sum",
        NOISE,
        "With probability p the user answers with a random bit instead of flipping, so a bit flips only with p/2.",
        500,
        flip=1 / 8,
    ),
    bug(
        "tenth-fair-coins-for-poisson",
        "uniformity",
        NOISE,
        "The number of noisy messages is Bin(2 lam/n, 1/2) instead of Pois(lam/n): the mean is right, the spread not.",
        500,
        evidence=coins_for_poisson_evidence("uniformity", 500),
        user=coins_for_poisson,
    ),
    bug(
        "tenth-sign-times-geometric",
        "geometric-wide",
        NOISE,
        "The two-sided geometric noise is a random sign times a geometric draw, which gives 0 twice the mass it has.",
        2000,
        evidence=signed_geometric_evidence("geometric-wide", 2000),
        noise=signed_geometric,
    ),
)
