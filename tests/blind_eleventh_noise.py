"""Mistakes in how noise is drawn: conventions of libraries, words that are too short, roundings, loops."""

from __future__ import annotations

import math
from statistics import NormalDist

from tests.blind_zoo_bug import NOISE, bug, evidence_of
from tests.blind_zoo_draws import (
    as_law,
    bernoulli,
    binomial_masses,
    bits,
    convolved,
    geometric,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine


def knuth_without_last_step_back(rng, mean):
    product, count = 1.0, 0
    while product > math.exp(-mean):
        product *= rng.random()
        count += 1
    return count


def user_with_one_message_too_many(self, x, rng):
    return [
        (j, bit)
        for j in range(1, self.labels + 1)
        for bit in (int(x == j), *bits(rng, knuth_without_last_step_back(rng, float(self.mean))))
    ]


def totals_evidence(runs):
    right = machine("uniformity-default")
    total = shifted(as_law(poisson_masses(float(right.lam))), right.n)
    return evidence_of([shifted(total, right.n)] * right.k, [total] * right.k, runs)


def signed_magnitude(self, rng):
    return rng.choice((-1, 1)) * geometric(rng, float(1 / self.exp_eps))


def signed_magnitude_evidence(runs):
    right = machine("geometric")
    r, law = float(1 / right.exp_eps), right.coordinates()[0]
    centre = right.value()
    wrong = {v: (1 - r) * r ** abs(v - centre) / (1 if v == centre else 2) for v in law}
    return evidence_of([wrong], [law], runs)


def trials_not_failures(self, rng):
    return sum(1 + geometric(rng, 1 - self.flip) for _ in range(self.l))


def trials_evidence(runs):
    right = machine("negative-binomial-rare")
    (law,) = right.coordinates()
    return evidence_of([shifted(law, right.l)], [law], runs)


def ones_of_one_word(self, rng):
    return rng.getrandbits(min(self.l, 32)).bit_count()


def one_word_evidence(runs):
    return evidence_of(machine("binomial", l=32).coordinates(), machine("binomial").coordinates(), runs)


def normal_of(self):
    return NormalDist(self.l * self.flip, math.sqrt(self.l * self.flip * (1 - self.flip)))


def truncated_normal(self, rng):
    normal = normal_of(self)
    return min(self.l, max(0, int(rng.gauss(normal.mean, normal.stdev))))


def truncated_normal_evidence(runs):
    right = machine("binomial-uneven")
    below = [0.0, *map(normal_of(right).cdf, range(1, right.l + 1)), 1.0]
    wrong = {right.value() + v: below[v + 1] - below[v] for v in range(right.l + 1)}
    return evidence_of([wrong], right.coordinates(), runs)


def percent_of_101(self, rng):
    return int(rng.randint(0, 100) < round(100 * self.flip))


def percent_evidence(runs):
    scene = "binary-sum-large"
    return evidence_of(machine(scene, flip=75 / 101).coordinates(), machine(scene).coordinates(), runs)


def user_with_one_flip(self, x, rng):
    return [(1, x ^ bernoulli(rng, self.flip))] * self.m


def one_flip_evidence(runs):
    right = machine("poisson-binomial")
    h = sum(right.people)
    low = as_law(binomial_masses(len(right.people) - h, right.flip))
    senders = convolved(low, as_law(binomial_masses(h, 1 - right.flip)))
    return evidence_of([{right.m * v: p for v, p in senders.items()}], right.coordinates(), runs)


BUGS = (
    bug(
        "eleventh-knuth-poisson-without-minus-one",
        "uniformity-default",
        NOISE,
        "Knuth's loop for the Poisson number of noise messages returns its counter without subtracting 1.",
        300,
        totals_evidence(300),
        user=user_with_one_message_too_many,
    ),
    bug(
        "eleventh-signed-magnitude-geometric",
        "geometric",
        NOISE,
        "The two-sided geometric noise is a geometric magnitude with a random sign, so that zero comes too often.",
        1000,
        signed_magnitude_evidence(1000),
        noise=signed_magnitude,
    ),
    bug(
        "eleventh-library-counts-trials",
        "negative-binomial-rare",
        NOISE,
        "The library's geometric draws count the trials including the success, where failures are meant.",
        3000,
        trials_evidence(3000),
        noise=trials_not_failures,
    ),
    bug(
        "eleventh-popcount-of-a-32-bit-word",
        "binomial",
        NOISE,
        "The l = 40 fair coins are the bits of one random word, which has 32 bits only.",
        300,
        one_word_evidence(300),
        noise=ones_of_one_word,
    ),
    bug(
        "eleventh-normal-approximation-truncated",
        "binomial-uneven",
        NOISE,
        "The binomial noise is a normal draw cast to an integer, which cuts off the fraction instead of rounding.",
        4000,
        truncated_normal_evidence(4000),
        noise=truncated_normal,
    ),
    bug(
        "eleventh-percent-from-inclusive-randint",
        "binary-sum-large",
        NOISE,
        "The noise bit compares randint(0, 100), which has 101 values, with 75.",
        8000,
        percent_evidence(8000),
        noise=percent_of_101,
    ),
    bug(
        "eleventh-one-flip-for-all-copies",
        "poisson-binomial",
        NOISE,
        "The flip is drawn before the loop over the m messages, so that all messages of a user are equal.",
        400,
        one_flip_evidence(400),
        user=user_with_one_flip,
    ),
)
