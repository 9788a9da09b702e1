"""Eighth zoo: noise of the wrong law."""

from __future__ import annotations

import math

from tests.blind_zoo_bug import NOISE, bug, evidence_of
from tests.blind_zoo_draws import (
    Law,
    as_law,
    bernoulli,
    binomial_masses,
    bits,
    convolved,
    geometric,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine


def trials(self, rng):
    """Trials up to and including the success, as most libraries count them."""
    return sum(geometric(rng, 1 - self.flip) + 1 for _ in range(self.l))


def trials_evidence(scene, runs):
    right = machine(scene)
    laws = right.coordinates()
    return evidence_of([shifted(law, right.l) for law in laws], laws, runs)


def rounded_laplace(self, rng):
    size = rng.expovariate(math.log(self.exp_eps))
    return round(size if rng.getrandbits(1) else -size)


def rounded_laplace_law(eps) -> Law:
    law = {0: 1 - math.exp(-eps / 2)}
    for v in range(1, math.ceil(600 / eps)):
        law[v] = law[-v] = math.exp(-eps * v) * math.sinh(eps / 2)
    return law


def rounded_laplace_evidence(scene, runs):
    right = machine(scene)
    law = rounded_laplace_law(math.log(right.exp_eps))
    return evidence_of([shifted(law, right.value())], right.coordinates(), runs)


def centred_poisson(self, rng):
    return poisson(rng, 2 * self.mean) - int(2 * self.mean)


def centred_poisson_evidence(scene, runs):
    right = machine(scene)
    law = as_law(poisson_masses(float(2 * right.mean)))
    return evidence_of([shifted(law, right.value() - int(2 * right.mean))], right.coordinates(), runs)


def cut_normal(self, rng):
    return int(rng.gauss(self.l / 2, math.sqrt(self.l) / 2))


def cut_normal_law(l) -> Law:
    def below(x):
        return math.erfc((l / 2 - x) / math.sqrt(l / 2)) / 2

    return {v: below(v + 1) - below(v) for v in range(l + 1)}


def cut_normal_evidence(scene, runs):
    right = machine(scene)
    return evidence_of([shifted(cut_normal_law(right.l), right.value())], right.coordinates(), runs)


def fixed_noise(self, x, rng):
    size = round(self.mean)
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, size))]


def fixed_noise_evidence(scene, runs):
    right = machine(scene)
    total = round(right.mean) * len(right.people)
    return -runs * right.labels * math.log(poisson_masses(float(right.mean) * len(right.people))[total])


def third_bits(self, u, rng):
    free = [rng.randrange(3) & 1 for _ in range(self.m - 1)]
    return [*free, (u + sum(free)) % 2]


def third_bits_law(u, m) -> Law:
    law: Law = {}
    for s, mass in enumerate(binomial_masses(m - 1, 1 / 3)):
        ones = s + (u + s) % 2
        law[ones] = law.get(ones, 0.0) + mass
    return law


def third_bits_evidence(scene, runs):
    right = machine(scene)
    total: Law = {0: 1.0}
    for u in right.people:
        total = convolved(total, third_bits_law(u, right.m))
    return evidence_of([total], right.coordinates(), runs)


def answer_of_each(self, rng):
    return {"output": int(any(bernoulli(rng, self.high if x else self.low) for x in self.people))}


def answer_of_each_evidence(scene, runs):
    right = machine(scene)
    none = math.prod(1 - float(right.high if x else right.low) for x in right.people)
    return evidence_of([{0: none, 1: 1 - none}], right.coordinates(), runs)


BUGS = (
    bug(
        "failures-counted-as-trials",
        "negative-binomial",
        NOISE,
        "Each of the l geometric draws counts the trials up to the success, the success included, and so is 1 too"
        " large.",
        300,
        trials_evidence("negative-binomial", 300),
        noise=trials,
    ),
    bug(
        "rounded-laplace",
        "geometric",
        NOISE,
        "The noise is a continuous Laplace draw of scale 1/eps rounded to the nearest integer, not the symmetric"
        " geometric law.",
        12000,
        rounded_laplace_evidence("geometric", 12000),
        noise=rounded_laplace,
    ),
    bug(
        "centred-poisson",
        "skellam",
        NOISE,
        "The noise is one Poisson(lam) draw minus its mean lam, not the difference of two Poisson(lam/2) draws.",
        5000,
        centred_poisson_evidence("skellam", 5000),
        noise=centred_poisson,
    ),
    bug(
        "normal-cut-to-integer",
        "binomial",
        NOISE,
        "The binomial noise is a normal draw of the same mean and variance cut down to an integer by int(), which takes"
        " away one half on average.",
        8000,
        cut_normal_evidence("binomial", 8000),
        noise=cut_normal,
    ),
    bug(
        "replaced-instead-of-flipped",
        "two-bit-sum",
        NOISE,
        "With probability p a bit is replaced by a fair coin instead of being flipped, so it flips with probability"
        " p/2.",
        400,
        flip=0.125,
    ),
    bug(
        "noise-loop-from-one",
        "pan-histogram",
        NOISE,
        "The loop that adds the lam fair bits of every noise draw runs over 1, ..., lam-1 and so adds one bit too few.",
        1200,
        lam=29,
    ),
    bug(
        "as-many-noise-messages-as-expected",
        "uniformity",
        NOISE,
        "Every user adds exactly lam/n noise messages for each label; their number is not drawn from a Poisson law.",
        64,
        fixed_noise_evidence("uniformity", 64),
        user=fixed_noise,
    ),
    bug(
        "bits-from-three-values",
        "modular",
        NOISE,
        "The random shares are the low bit of a number drawn from {0, 1, 2} (an inclusive upper bound), so each is 1"
        " with probability 1/3.",
        1000,
        third_bits_evidence("modular", 1000),
        shares=third_bits,
    ),
    bug(
        "or-of-randomized-answers",
        "randomized-or",
        NOISE,
        "Every user's bit is randomized by itself and the OR of these n answers is published, instead of one randomized"
        " answer for the OR of the data.",
        20000,
        answer_of_each_evidence("randomized-or", 20000),
        run=answer_of_each,
    ),
)
