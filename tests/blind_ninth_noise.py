"""Ninth zoo: noise and parameters."""

from __future__ import annotations

import math
from itertools import product
from math import erf, sqrt

from tests.blind_zoo_bug import CERTAIN, NOISE, PARAMETERS, bug, evidence_of
from tests.blind_zoo_draws import (
    as_law,
    bernoulli,
    binomial,
    binomial_masses,
    bits,
    poisson,
    poisson_masses,
    shifted,
)
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import exponential


def moments(self):
    return self.l * self.flip, sqrt(self.l * self.flip * (1 - self.flip))


def truncated_normal_noise(self, rng):
    return int(rng.gauss(*moments(self)))


def truncated_normal_law(self):
    mean, deviation = moments(self)

    def below(x):
        return (1 + erf((x - mean) / deviation / sqrt(2))) / 2

    law = {v: below(v + 1) - below(v) for v in range(1, self.l + 1)}
    return shifted({**law, 0: below(1) - below(-1)}, self.value())


def truncated_normal_evidence(runs):
    right = machine("binomial-uneven")
    return evidence_of([truncated_normal_law(right)], right.coordinates(), runs)


def trials_until(rng, p):
    return 1 + int(math.log(1 - rng.random()) / math.log1p(-p))


def trials_counted(self, rng):
    return sum(trials_until(rng, self.flip) for _ in range(self.l))


def trials_evidence(runs):
    right = machine("negative-binomial")
    laws = right.coordinates()
    return evidence_of([shifted(law, right.l) for law in laws], laws, runs)


def centred_poisson(self, rng):
    return poisson(rng, 2 * self.mean) - int(2 * self.mean)


def centred_poisson_evidence(runs):
    right = machine("skellam")
    variance = int(2 * right.mean)
    law = shifted(as_law(poisson_masses(float(variance))), right.value() - variance)
    return evidence_of([law], right.coordinates(), runs)


def truncated_laplace(self, rng):
    size = int(rng.expovariate(math.log(float(self.exp_eps))))
    return size if rng.getrandbits(1) else -size


def truncated_laplace_evidence(runs):
    right = machine("geometric")
    r = float(1 / right.exp_eps)
    law = {v: (1 - r) * (r ** abs(v) / 2 if v else 1.0) for v in range(-500, 501)}
    return evidence_of([shifted(law, right.value())], right.coordinates(), runs)


def knuth_without_last_step(self, x, rng):
    messages = []
    for j in range(1, self.labels + 1):
        messages.append((j, int(x == j)))
        messages += [(j, bit) for bit in bits(rng, poisson(rng, self.mean) + 1)]
    return messages


def knuth_evidence(runs):
    right = machine("uniformity-default")
    totals = as_law(poisson_masses(float(right.lam)))
    return evidence_of([shifted(totals, right.n)] * right.labels, [totals] * right.labels, runs)


def pair_replaced(self, x, rng):
    pair = bits(rng, 2) if bernoulli(rng, self.flip) else x
    return list(enumerate(pair, start=1))


def pair_reports(x, p):
    return {pair: p / 4 + (1 - p) * (pair == x) for pair in product((0, 1), repeat=2)}


def bit_reports(x, p):
    kept = {True: 1 - p, False: p}
    return {(a, b): kept[a == x[0]] * kept[b == x[1]] for a, b in product((0, 1), repeat=2)}


def ones_of_pairs(people, reports, p):
    """The joint law of the ones of both pools."""
    law = {(0, 0): 1.0}
    for x in people:
        following = dict.fromkeys(product(range(len(people) + 1), repeat=2), 0.0)
        for (first, second), mass in law.items():
            for (a, b), chance in reports(x, p).items():
                if mass * chance:
                    following[first + a, second + b] += mass * chance
        law = following
    return law


def pair_replaced_evidence(runs):
    right = machine("two-bit-sum")
    laws = [ones_of_pairs(right.people, reports, right.flip) for reports in (pair_reports, bit_reports)]
    return evidence_of(laws[:1], laws[1:], runs)


def exact_share(self, rng):
    ones = round(self.n * self.p)
    noise = [1] * ones + [0] * (self.n - ones)
    rng.shuffle(noise)
    return [[(1, x), (1, bit)] for x, bit in zip(self.people, noise, strict=True)]


def exact_share_evidence(runs):
    right = machine("binary-sum-large")
    return evidence_of([{sum(right.people) + round(right.n * right.p): 1.0}], right.coordinates(), runs)


def uniform_start(self, rng):
    return rng.randint(0, self.lam)


def uniform_start_evidence(runs):
    right = machine("pan-sum")
    law = dict.fromkeys(range(right.lam + 1), 1 / (right.lam + 1))
    laws = right.coordinates()
    return evidence_of([shifted(law, sum(right.people[: right.t])), laws[1]], laws, runs)


def decimal_share():
    right = machine("binary-sum-formula")
    return 1 - 10 * right.c_squared * math.log10(2 / right.delta) / right.n


def trials_by_variance():
    right = machine("binomial-formula")
    return math.ceil(10 * right.c_squared * math.log(2 / right.delta) / (right.p * (1 - right.p)))


def used_of_stream(self, rng):
    return binomial(rng, self.n // 3, self.share)


def left_after(law, t):
    left = {}
    for used, mass in law.items():
        left[max(0, used - t)] = left.get(max(0, used - t), 0.0) + mass
    return left


def used_evidence(runs):
    right = machine("pan-uniformity")
    share, most = float(right.share), right.n // 3
    law = {}
    for used, mass in enumerate(binomial_masses(right.n, share)):
        law[min(used, most)] = law.get(min(used, most), 0.0) + mass
    wrong = as_law(binomial_masses(most, share))
    return evidence_of([left_after(wrong, right.t)], [left_after(law, right.t)], runs)


BUGS = (
    bug(
        "normal-noise-cut-to-integer",
        "binomial-uneven",
        NOISE,
        "The binomial noise is replaced by a normal number with its mean and deviation that is cut by int() instead of"
        " rounded, so that it is half too small on average.",
        1500,
        truncated_normal_evidence(1500),
        noise=truncated_normal_noise,
    ),
    bug(
        "geometric-library-counts-trials",
        "negative-binomial",
        NOISE,
        "The library's geometric law starts at 1 (it counts trials, not failures), so each of the l draws is one too"
        " large and the noise is shifted by l.",
        300,
        trials_evidence(300),
        noise=trials_counted,
    ),
    bug(
        "one-poisson-less-its-mean",
        "skellam",
        NOISE,
        "The noise is one Poisson number of mean lam minus lam instead of the difference of two Poisson numbers of mean"
        " lam/2: right mean and variance, but skewed.",
        4000,
        centred_poisson_evidence(4000),
        noise=centred_poisson,
    ),
    bug(
        "laplace-cast-to-int",
        "geometric",
        NOISE,
        "The noise is a continuous Laplace number cast to an integer, which cuts towards zero, instead of a two-sided"
        " geometric number: zero is too likely.",
        1000,
        truncated_laplace_evidence(1000),
        noise=truncated_laplace,
    ),
    bug(
        "knuth-loop-without-minus-one",
        "uniformity-default",
        NOISE,
        "The Poisson draw by multiplication of uniform numbers returns the number of factors instead of one less, so"
        " each user sends one noise message too many for each label.",
        100,
        knuth_evidence(100),
        user=knuth_without_last_step,
    ),
    bug(
        "pair-replaced-as-a-whole",
        "two-bit-sum",
        NOISE,
        "With probability p the whole pair is replaced by a uniform pair, instead of each bit being flipped with"
        " probability p on its own.",
        1000,
        pair_replaced_evidence(1000),
        user=pair_replaced,
    ),
    bug(
        "exactly-the-expected-noise",
        "binary-sum-large",
        NOISE,
        "The noise bits are a permutation of exactly n*p ones and n*(1-p) zeros instead of independent bits, so that"
        " their number of ones never varies.",
        100,
        exact_share_evidence(100),
        vectors=exact_share,
    ),
    bug(
        "randint-for-binomial",
        "pan-sum",
        NOISE,
        "The initial state is a uniform integer between 0 and lam instead of a binomial number.",
        200,
        uniform_start_evidence(200),
        initial=uniform_start,
    ),
    bug(
        "decimal-logarithm",
        "binary-sum-formula",
        PARAMETERS,
        "The formula for p takes the decimal logarithm of 2/delta instead of the natural one.",
        64,
        p=decimal_share(),
    ),
    bug(
        "divided-by-the-variance",
        "binomial-formula",
        PARAMETERS,
        "The formula for l divides by p*(1-p) instead of by min(p, 1-p), so that l is twice as large.",
        64,
        l=trials_by_variance(),
    ),
    bug(
        "exponential-taken-twice",
        "geometric-wide",
        PARAMETERS,
        "The value of exp-eps is taken for eps and exponentiated again.",
        300,
        exp_eps=exponential("5/4"),
    ),
    bug(
        "budget-split-among-users",
        "randomized-or",
        PARAMETERS,
        "The privacy budget eps is divided by the number of users before the probability of a false 1 is computed.",
        1500,
        exp_eps=3**0.25,
    ),
    bug(
        "share-of-the-stream-only",
        "pan-uniformity",
        PARAMETERS,
        "The number of stream elements that are used is drawn from Bin(n/3, 2/9) instead of Bin(n, 2/9): the stream's"
        " length is taken for n.",
        300,
        used_evidence(300),
        used=used_of_stream,
    ),
    bug(
        "draws-for-each-user",
        "negative-binomial-rare",
        PARAMETERS,
        "The number of draws l is taken for the draws of each user, so that l*n geometric numbers are added up.",
        64,
        l=8,
    ),
    bug(
        "exponent-in-integer-division",
        "hashed",
        PARAMETERS,
        "The exponent 4/3 of the number of buckets is an integer division with the result 1, so that there are only n"
        " buckets.",
        64,
        CERTAIN,
        labels=5,
    ),
)
