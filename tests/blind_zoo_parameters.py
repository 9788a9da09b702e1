"""Bugs in numbers: a parameter that is a little or very wrong, the wrong logarithm, an error of one."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, PARAMETERS, Bug, bug
from tests.blind_zoo_online import machine


def p_prime(n, exp_eps):
    return (1 - (1 - 1 / exp_eps) ** (1 / n)) / 2


def c_squared(eps):
    return ((math.exp(eps) + 1) / (math.exp(eps) - 1)) ** 2


def row(name: str, scene: str, runs: int, cause: str, **changes) -> Bug:
    return bug(name, scene, PARAMETERS, cause, runs, **changes)


E = math.e
COINS = machine("binomial-formula").l
PAN = machine("pan-sum-formula").lam
BITS_OF_NOISE = machine("uniformity-formula").lam

BUGS: tuple[Bug, ...] = (
    row("zsum-p-ten-percent", "binary-sum", 1500, "p is 10 % too large", flip=1.1 / 3),
    row("zsum-p-three-percent", "binary-sum-large", 2000, "p is 3 % too large", flip=0.7725),
    row("zsum-p-one-percent", "binary-sum", 20000, "p is 1 % too large", flip=1.01 / 3),
    row(
        "zsum-log-base",
        "binary-sum-formula",
        500,
        "p has log2(2/delta) for ln(2/delta)",
        flip=1 - 10 * c_squared(8) * math.log2(200) / 130,
    ),
    row(
        "zsum-one-user-fewer",
        "binary-sum-formula",
        20000,
        "p is computed for n - 1 users",
        flip=1 - 10 * c_squared(8) * math.log(200) / 129,
    ),
    row(
        "zsum-delta-not-doubled",
        "binary-sum-formula",
        1000,
        "p has ln(1/delta) for ln(2/delta)",
        flip=1 - 10 * c_squared(8) * math.log(100) / 130,
    ),
    row("zsum-complement", "binary-sum", 200, "the coin is 1 with probability 1 - p", flip=2 / 3),
    row(
        "zsum-percent-truncated", "binary-sum", 20000, "p is kept as a whole number of percent, rounded down", flip=0.33
    ),
    row("binomial-one-coin-more", "binomial", 4000, "the loop over coins runs from 0 to l", l=41),
    row("binomial-one-coin-fewer", "binomial", 4000, "the loop over coins runs from 1 to l - 1", l=39),
    row(
        "binomial-log-base",
        "binomial-formula",
        64,
        "l has log2 for ln",
        l=math.ceil(20 * c_squared(1) * math.log2(200)),
    ),
    row("binomial-l-rounded-down", "binomial-formula", 20000, "l is rounded down, not up", l=COINS - 1),
    row(
        "binomial-delta-not-doubled",
        "binomial-formula",
        100,
        "l has ln(1/delta) for ln(2/delta)",
        l=math.ceil(20 * c_squared(1) * math.log(100)),
    ),
    row("binomial-min-forgotten", "binomial-formula", 64, "l is not divided by min(p, 1 - p)", l=(COINS + 1) // 2),
    row("binomial-p-one-percent", "binomial-uneven", 20000, "p is 1 % too large", flip=0.303),
    row("binomial-complement", "binomial-uneven", 64, "the coins are 1 with probability 1 - p", flip=0.7),
    row("binomial-percent", "binomial-uneven", 4000, "int(100 * p) came out as 29 percent", flip=0.29),
    row("or-eps-read-as-exp", "distinct", 2000, "e^eps is computed of the given e^eps", p_prime=p_prime(6, E**2)),
    row("or-half-forgotten", "distinct", 500, "p' is not divided by 2", p_prime=2 * p_prime(6, 2)),
    row("or-one-user-fewer", "distinct", 10000, "p' is computed for n - 1 users", p_prime=p_prime(5, 2)),
    row("or-first-order", "distinct", 10000, "p' is replaced by its first order, 1/(2n e^eps)", p_prime=1 / 24),
    row("or-three-percent", "distinct-few-messages", 20000, "p' is 3 % too large", p_prime=1.03 * p_prime(5, E)),
    row(
        "or-not-per-user",
        "distinct-few-messages",
        200,
        "every user flips with the probability that is meant for all",
        p_prime=1 / (2 * E),
    ),
    row(
        "messages-natural-log",
        "distinct-formula",
        64,
        "m has ln for log2",
        evidence=CERTAIN,
        m=math.floor(math.log((E + 1) * 100)) + 2,
    ),
    row("messages-one-more", "distinct-formula", 64, "m is one too large", evidence=CERTAIN, m=11),
    row("messages-base-two", "distinct", 64, "m is two for three", evidence=CERTAIN, m=2),
    row(
        "or-dropout-noise",
        "distinct-dropouts",
        10000,
        "p' is computed for the users who take part",
        p_prime=(1 - 0.9**2) / 2,
    ),
    row("geometric-ten-percent", "geometric", 2000, "eps is 10 % too large", exp_eps=math.exp(1.1)),
    row("geometric-three-percent", "geometric-wide", 20000, "eps is 3 % too large", exp_eps=1.25**1.03),
    row("geometric-sensitivity-two", "geometric", 500, "the noise is for a sensitivity of 2", exp_eps=math.exp(0.5)),
    row("geometric-base-two", "geometric", 1000, "the mass falls as 2^(-eps |v|)", exp_eps=2.0),
    row("geometric-exp-again", "geometric-wide", 100, "e^eps is computed of the given e^eps", exp_eps=math.exp(1.25)),
    row("waiting-p-three-percent", "negative-binomial", 6000, "p is 3 % too small", flip=0.97 / 3),
    row("waiting-one-success-more", "negative-binomial", 500, "waits for one success too many", l=6),
    row("waiting-swapped", "negative-binomial", 64, "counts successes before the l-th failure", flip=2 / 3),
    row("waiting-rare-three-percent", "negative-binomial-rare", 20000, "p is 3 % too large", flip=0.103),
    row(
        "pan-lam-as-variance",
        "pan-sum",
        64,
        "lam is taken for the variance, so four times as many coins are thrown",
        lam=96,
    ),
    row("pan-lam-halved", "pan-sum", 64, "the noise is split in halves before and after", lam=12),
    row("pan-lam-one-less", "pan-sum-end", 8000, "one coin too few on both sides", lam=11),
    row(
        "pan-log-base", "pan-sum-formula", 64, "lam has log2 for ln", lam=math.ceil(20 * c_squared(2) * math.log2(100))
    ),
    row("pan-lam-rounded-down", "pan-sum-formula", 10000, "lam is rounded down, not up", lam=PAN - 1),
    row("pan-coin-one-percent", "pan-sum-formula", 2000, "the coins are 1 with probability 0.505", chance=0.505),
    row("pan-histogram-one-coin-more", "pan-histogram", 2000, "lam is one too large", lam=31),
    row("pan-histogram-shared", "pan-histogram", 64, "lam is divided among the counters", lam=7),
    row(
        "pan-tester-lam-per-stream",
        "pan-uniformity",
        300,
        "lam is divided by the length of the stream, not by n",
        mean=Fraction(3),
    ),
    row("pan-tester-ten-percent", "pan-uniformity", 2000, "lam is 10 % too small", mean=0.9),
    row("pan-tester-share-third", "pan-uniformity", 2000, "n' is Bin(n, 1/3) for Bin(n, 2/9)", share=Fraction(1, 3)),
    row("pan-tester-share-fifth", "pan-uniformity", 5000, "n' is Bin(n, 1/5) for Bin(n, 2/9)", share=0.2),
    row(
        "pan-or-stream-users",
        "pan-distinct",
        4000,
        "p' is computed for the n/3 elements of the stream",
        p_prime=p_prime(4, 2),
    ),
    row("pan-or-tripled", "pan-distinct-odd", 20000, "p' is three times too large", p_prime=3 * p_prime(14, 5)),
    row("copies-p-ten-percent", "poisson-binomial", 20000, "p is 10 % too large", flip=0.275),
    row("copies-p-three-percent", "poisson-binomial-dropouts", 20000, "p is 3 % too small", flip=0.194),
    row("copies-one-more", "poisson-binomial", 64, "m + 1 copies are sent", evidence=CERTAIN, m=4),
    row("central-or-half-forgotten", "randomized-or", 300, "the low probability is 1/e^eps", low=1 / 3),
    row("central-or-ten-percent", "randomized-or", 20000, "the low probability is 10 % too large", low=1.1 / 6),
    row("central-or-coin", "randomized-or-some", 20000, "the fair coin is 51 to 49", high=0.51),
    row("histogram-split", "histogram-uneven", 100, "p is divided by k, as a budget is", flip=0.75 / 4),
    row("histogram-three-percent", "histogram-uneven", 2000, "p is 3 % too small", flip=0.7275),
    row("histogram-one-percent", "histogram-uneven", 10000, "p is 1 % too large", flip=0.7575),
    row("skellam-not-halved", "skellam", 200, "both Poisson draws have mean lam, not lam/2", mean=10.0),
    row("skellam-deviation", "skellam", 300, "lam is taken for the standard deviation", mean=50.0),
    row("skellam-three-percent", "skellam", 20000, "lam is 3 % too large", mean=5.15),
    row("two-bits-ten-percent", "two-bit-sum", 2000, "p is 10 % too small", flip=0.225),
    row("two-bits-p-halved", "two-bit-sum", 300, "a fair bit replaces the true one with probability p", flip=0.125),
    row("two-bits-three-percent", "two-bit-sum", 20000, "p is 3 % too large", flip=0.2575),
    row("tester-one-user-more", "uniformity", 1000, "lam is divided by n + 1", mean=Fraction(20, 11)),
    row("tester-split-over-pools", "uniformity", 64, "lam is divided by k as well", mean=Fraction(1, 2)),
    row("tester-three-percent", "uniformity", 2000, "lam is 3 % too large", mean=2.06),
    row("tester-one-percent", "uniformity", 10000, "lam is 1 % too small", mean=1.98),
    row(
        "tester-k-forgotten",
        "uniformity-formula",
        64,
        "lam has ln(2/delta) for ln(2k/delta)",
        mean=math.ceil(40 * c_squared(4) * math.log(20)) / 6,
    ),
    row(
        "tester-lam-rounded-down",
        "uniformity-formula",
        20000,
        "lam is rounded down, not up",
        mean=(BITS_OF_NOISE - 1) / 6,
    ),
    row("hashed-size-rounded-down", "hashed", 64, "k' is rounded down", evidence=CERTAIN, labels=8),
    row("hashed-exponent", "hashed-wide", 64, "k' has n^(3/4) for n^(4/3)", evidence=CERTAIN, labels=5),
    row("hashed-noise-for-k", "hashed", 10000, "p' is computed for k' users", p_prime=p_prime(9, 3)),
    row("compressed-size-one-less", "compressed", 64, "one group too few", evidence=CERTAIN, k_hat=2),
    row("compressed-noise-per-group", "compressed", 300, "lam is multiplied by k_hat/k", mean=0.75),
)
