"""Seventh zoo: noise and parameters."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, NOISE, PARAMETERS, bug, evidence_of
from tests.blind_zoo_draws import (
    as_law,
    binomial,
    binomial_masses,
    bits,
    geometric,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine


def known(scene, runs, laws):
    """The evidence where a step is replaced: `laws` makes the laws of the wrong machine from the right one."""
    right = machine(scene)
    return evidence_of(laws(right), right.coordinates(), runs)


def one_coin_for_two(self, rng):
    coins = [self.noise(rng) for _ in range(0, len(self.people), 2)]
    return [[(1, x), (1, coins[place // 2])] for place, x in enumerate(self.people)]


def even_sums(right):
    half = as_law(binomial_masses(len(right.people) // 2, right.flip))
    return [shifted({2 * i: mass for i, mass in half.items()}, sum(right.people))]


LEAST, MOST = 14, 26


def cut_off(self, rng):
    return min(MOST, max(LEAST, binomial(rng, self.l, self.flip)))


def cut_off_law(right):
    law = {}
    for i, mass in enumerate(binomial_masses(right.l, right.flip)):
        place = min(MOST, max(LEAST, i)) + right.value()
        law[place] = law.get(place, 0.0) + mass
    return [law]


def poisson_instead(self, rng):
    return poisson(rng, self.l * self.flip)


def centred_poisson(self, rng):
    return poisson(rng, self.lam) - int(self.lam)


def laplace_cut_to_whole(self, rng):
    size = rng.expovariate(math.log(self.exp_eps))
    return int(size if rng.getrandbits(1) else -size)


def laplace_law(right):
    r = float(1 / right.exp_eps)
    return [{right.value() + v: (1 - r) * r ** abs(v) / (2 if v else 1) for v in range(-500, 501)}]


def trials(self, rng):
    return sum(1 + geometric(rng, 1 - self.flip) for _ in range(self.l))


def one_wait_for_all(self, rng):
    return self.l * geometric(rng, 1 - self.flip)


def one_wait_law(right):
    return [{right.value() + right.l * g: right.flip * (1 - right.flip) ** g for g in range(550)}]


def own_bin_only(self, x, rng):
    return [
        pair for j in range(1, self.labels + 1) for pair in ((j, int(x == j)), (j, self.noise(rng) if x == j else 0))
    ]


def own_bin_laws(right):
    counts = [right.people.count(j) for j in range(1, right.labels + 1)]
    return [shifted(as_law(binomial_masses(h, right.flip)), h) for h in counts]


def mean_number(self, x, rng):
    return [(j, bit) for j in range(1, self.labels + 1) for bit in (int(x == j), *bits(rng, int(self.mean)))]


def surprise_of_mean(scene, runs):
    """The numbers of messages never vary: every pool's is the mean of its Poisson law."""
    right = machine(scene)
    total = int(right.mean) * len(right.people)
    return -runs * right.labels * math.log(poisson_masses(float(total))[total])


BUGS = (
    bug(
        "one-coin-for-two",
        "binary-sum-large",
        NOISE,
        "The noise bits are drawn for two users at a time: each pair of neighbours sends the same noise bit.",
        300,
        known("binary-sum-large", 300, even_sums),
        vectors=one_coin_for_two,
    ),
    bug(
        "noise-cut-off",
        "binomial",
        NOISE,
        "The binomial noise is clipped to within about two standard deviations of its mean (14 to 26).",
        1200,
        known("binomial", 1200, cut_off_law),
        noise=cut_off,
    ),
    bug(
        "poisson-for-binomial",
        "binomial-uneven",
        NOISE,
        "The noise is drawn from a Poisson law with mean l*p instead of the binomial law.",
        2000,
        known("binomial-uneven", 2000, lambda right: [shifted(as_law(poisson_masses(9.0)), right.value())]),
        noise=poisson_instead,
    ),
    bug(
        "one-poisson-centred",
        "skellam",
        NOISE,
        "The noise is one Poisson variable of mean lam less its mean, instead of the difference of two Poissons.",
        5000,
        known("skellam", 5000, lambda right: [shifted(as_law(poisson_masses(10.0)), right.value() - 10)]),
        noise=centred_poisson,
    ),
    bug(
        "laplace-cut-to-whole",
        "geometric",
        NOISE,
        "Continuous Laplace noise is cut to a whole number towards zero, so that zero noise comes too often.",
        1500,
        known("geometric", 1500, laplace_law),
        noise=laplace_cut_to_whole,
    ),
    bug(
        "trials-not-failures",
        "negative-binomial",
        NOISE,
        "The negative binomial noise counts all trials instead of the failures only, so it is l too large.",
        250,
        known("negative-binomial", 250, lambda right: [shifted(right.coordinates()[0], right.l)]),
        noise=trials,
    ),
    bug(
        "one-wait-for-all",
        "negative-binomial-rare",
        NOISE,
        "One geometric variable is drawn and multiplied by l instead of adding l independent ones.",
        300,
        known("negative-binomial-rare", 300, one_wait_law),
        noise=one_wait_for_all,
    ),
    bug(
        "noise-in-own-bin-only",
        "histogram",
        NOISE,
        "A user draws a noise bit only for the bin of the own value and sends 0 as noise for all other bins.",
        200,
        known("histogram", 200, own_bin_laws),
        user=own_bin_only,
    ),
    bug(
        "mean-number-of-noise",
        "uniformity",
        NOISE,
        "Each user adds exactly lam/n noise bits to a pool instead of a Poisson number with that mean.",
        200,
        surprise_of_mean("uniformity", 200),
        user=mean_number,
    ),
    bug(
        "p-to-one-digit",
        "binary-sum",
        PARAMETERS,
        "p = 1/3 is rounded to one decimal digit, so noise bits are 1 with probability 0.3.",
        3000,
        flip=0.3,
    ),
    bug(
        "percent-inclusive",
        "binary-sum-large",
        PARAMETERS,
        "The noise bit is 1 where a number from 0 to 99 is <= 75 instead of < 75, so p is 0.76.",
        4500,
        flip=0.76,
    ),
    bug(
        "coins-rounded-up",
        "binary-sum-formula",
        PARAMETERS,
        "The formula's number of fair coins is rounded up to a whole number before it is divided by n; p is too small.",
        4500,
        p=Fraction(76, 130),
    ),
    bug(
        "half-the-budget",
        "geometric-wide",
        PARAMETERS,
        "The geometric noise is made for eps/2 instead of eps, so it is about twice as wide.",
        500,
        exp_eps=Fraction(math.sqrt(1.25)),
    ),
    bug(
        "response-for-or",
        "randomized-or",
        PARAMETERS,
        "Where no user has a 1 the output is 1 with 1/(1 + e^eps), as in randomized response, not 1/(2 e^eps).",
        3000,
        low=Fraction(1, 4),
    ),
    bug(
        "p-prime-not-halved",
        "distinct-few-messages",
        PARAMETERS,
        "The division by 2 is forgotten in the probability p' of the other elements' coins.",
        600,
        p_prime=2 * machine("distinct-few-messages").p_prime,
    ),
    bug(
        "no-union-over-bins",
        "uniformity-formula",
        PARAMETERS,
        "The number k of pools is left out of the logarithm in the formula of lam: log(2/delta), not log(2k/delta).",
        200,
        delta=Fraction(1, 5),
    ),
    bug(
        "natural-logarithm-for-m",
        "distinct-formula",
        PARAMETERS,
        "The number m of messages is computed with the natural logarithm instead of that to base 2: 7, not 10.",
        200,
        CERTAIN,
        m=7,
    ),
    bug(
        "two-lost-in-logarithm",
        "pan-sum-formula",
        PARAMETERS,
        "lam is computed with log(1/delta) instead of log(2/delta), so there are too few coins.",
        200,
        delta=Fraction(1, 25),
    ),
)
