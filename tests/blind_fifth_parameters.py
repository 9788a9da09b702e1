"""Fifth zoo: the parameters."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_fifth_tools import counted, known, mapped
from tests.blind_zoo_bug import CERTAIN, PARAMETERS, Bug, bug
from tests.blind_zoo_draws import as_law, binomial_masses
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import Uniformity, exponential


def lam_without_k(self, texts):
    self.lam = math.ceil(40 * self.c_squared * math.log(2 / self.delta))
    Uniformity.derive(self, {**texts, "lam": str(self.lam)})


def left_at_intrusion(share):
    return mapped(as_law(binomial_masses(18, share)), lambda used: max(0, min(used, 6) - 2))


def squared(scene):
    return machine(scene).c_squared


BUGS: tuple[Bug, ...] = (
    bug(
        "two-over-delta-lost",
        "binary-sum-formula",
        PARAMETERS,
        "The noise probability p is computed with log(1/delta) instead of log(2/delta).",
        300,
        p=1 - 10 * squared("binary-sum-formula") * math.log(100) / 130,
    ),
    bug(
        "binomial-one-coin-too-many",
        "binomial",
        PARAMETERS,
        "The noise loop runs from 0 to l inclusive, so l + 1 = 41 coins are thrown instead of l = 40.",
        5000,
        l=41,
    ),
    bug(
        "negative-binomial-mean-misread",
        "negative-binomial-rare",
        PARAMETERS,
        "The sampler takes a mean and is given l/p instead of l(1 - p)/p, so p is p/(1 + p) = 1/11 in effect.",
        5000,
        p=Fraction(1, 11),
    ),
    bug(
        "or-plain-randomized-response",
        "randomized-or-some",
        PARAMETERS,
        "When some bit is 1, the output is 1 with probability e^eps/(1 + e^eps) of randomized response instead of 1/2.",
        800,
        high=1 - 1 / (1 + exponential("1")),
    ),
    bug(
        "distinct-p-not-halved",
        "distinct",
        PARAMETERS,
        "The probability p' of the bits for values not held is 1 - (1 - e^-eps)^(1/n) without the division by 2.",
        1000,
        p_prime=2 * machine("distinct").p_prime,
    ),
    bug(
        "distinct-one-share-too-few",
        "distinct-formula",
        PARAMETERS,
        "The number m of shares is computed one too small (floor of the logarithm plus 1 instead of plus 2).",
        200,
        CERTAIN,
        m=9,
    ),
    counted(
        "uniformity-no-union-bound",
        "uniformity-formula",
        PARAMETERS,
        "The noise lam is computed with log(2/delta) instead of log(2k/delta): the union over the pools is forgotten.",
        300,
        derive=lam_without_k,
    ),
    bug(
        "pan-sum-no-c",
        "pan-sum-formula",
        PARAMETERS,
        "The number lam of coins is computed as 20 log(2/delta) without the factor ((e^eps + 1)/(e^eps - 1))^2.",
        200,
        lam=math.ceil(20 * math.log(100)),
    ),
    bug(
        "pan-histogram-one-coin-too-few",
        "pan-histogram",
        PARAMETERS,
        "The loop over the coins starts at 1, so each counter's noise is Bin(lam - 1, 1/2) instead of Bin(lam, 1/2).",
        600,
        lam=29,
    ),
    bug(
        "two-bit-eps-rounded",
        "two-bit-sum-dropouts",
        PARAMETERS,
        "Users flip with probability 1/(1 + e^2) = 0.119, from eps = log 9 rounded to 2, instead of p = 1/10.",
        3500,
        flip=1 / (1 + math.exp(2)),
    ),
    bug(
        "binary-sum-p-one-digit",
        "binary-sum-large",
        PARAMETERS,
        "The users get p rounded to one decimal digit, so noise bits are 1 with probability 0.8 instead of 3/4.",
        300,
        flip=0.8,
    ),
    known(
        "pan-uniformity-share-a-third",
        "pan-uniformity",
        PARAMETERS,
        "The number of stream elements to use is drawn from Bin(n, 1/3) instead of Bin(n, 2/9).",
        500,
        [left_at_intrusion(1 / 3)],
        [left_at_intrusion(2 / 9)],
        share=Fraction(1, 3),
    ),
    bug(
        "pan-distinct-p-for-stream",
        "pan-distinct",
        PARAMETERS,
        "The probability p' is computed with the n/3 users of the stream instead of all n users.",
        600,
        p_prime=(1 - 0.5**0.25) / 2,
    ),
)
