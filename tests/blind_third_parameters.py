"""Third zoo: numbers of the protocol that are computed or read wrongly."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_second_laws import (
    binomial_law,
    moved,
)
from tests.blind_third_slips import (
    slip,
)
from tests.blind_zoo_bug import (
    CERTAIN,
    PARAMETERS,
    Bug,
)
from tests.blind_zoo_draws import (
    Law,
    divergence,
)
from tests.blind_zoo_online import machine


def tester_numbers(scene: str, lam: float) -> dict:
    """What follows from another lam."""
    right = machine(scene)
    k, m = right.labels, right.m
    variance = (k / m) ** 2 * k * (2 * (m / k + lam / 4) ** 2 + 5 * lam / 16)
    return {"lam": lam, "mean": Fraction(lam) / right.n, "tau": k**2 * lam / (4 * m) + math.sqrt(2 * variance)}


def law_of_left(self, t: int) -> Law:
    return moved(binomial_law(self.n, 2 / 9), lambda v: max(0, min(v, self.n // 3) - t))


E = math.e
FORMULA = machine("binary-sum-formula")
TESTER = machine("uniformity-formula")
BUGS: tuple[Bug, ...] = (
    slip("two-bit-whole-quotient", "two-bit-sum", PARAMETERS, "p is 1 // 4 = 0 in the randomizer", 64, flip=0.0),
    slip(
        "skellam-whole-quotients",
        "skellam-dropouts",
        PARAMETERS,
        "lam * users // n // 2 = 1 instead of 3/2",
        800,
        mean=Fraction(1),
    ),
    slip(
        "failures-log10",
        "negative-binomial-rare",
        PARAMETERS,
        "one of the two logarithms of the inversion is to base 10",
        64,
        flip=1 - 0.9 ** math.log(10),
    ),
    slip(
        "failures-n-for-l",
        "negative-binomial-rare",
        PARAMETERS,
        "waits for n successes instead of l",
        64,
        l=4,
    ),
    slip(
        "distinct-k-for-n",
        "distinct",
        PARAMETERS,
        "p' has the root of order k instead of n",
        1500,
        p_prime=(1 - 0.5**0.25) / 2,
    ),
    slip("uniformity-k-for-n", "uniformity", PARAMETERS, "lam / k noise bits instead of lam / n", 64, mean=Fraction(5)),
    slip(
        "zsum-log-arguments",
        "binary-sum-formula",
        PARAMETERS,
        "log(2, 1/delta), with a base, instead of log(2/delta)",
        64,
        p=1 - 10 * FORMULA.c_squared * math.log(2, 100) / FORMULA.n,
    ),
    slip(
        "uniformity-log-arguments",
        "uniformity-formula",
        PARAMETERS,
        "log(2k, 1/delta), with a base, instead of log(2k/delta)",
        64,
        **tester_numbers("uniformity-formula", math.ceil(40 * TESTER.c_squared * math.log(4, 10))),
    ),
    slip(
        "pan-sum-expm1-again",
        "pan-sum-formula",
        PARAMETERS,
        "the denominator of c is expm1(eps) - 1: 1 is subtracted twice",
        64,
        lam=math.ceil(20 * ((E**2 + 1) / (E**2 - 2)) ** 2 * math.log(100)),
    ),
    slip(
        "hashed-whole-exponent",
        "hashed",
        PARAMETERS,
        "n ** (4 // 3) = n hash values",
        64,
        CERTAIN,
        labels=5,
    ),
    slip(
        "or-precedence",
        "randomized-or",
        PARAMETERS,
        "1 / 2 * e^eps, which is above 1, instead of 1 / (2 e^eps)",
        64,
        low=1,
    ),
    slip("binomial-odds", "binomial-uneven", PARAMETERS, "3/10 is read as the odds 3 to 10", 200, flip=3 / 13),
    slip(
        "distinct-budget-split",
        "distinct-few-messages",
        PARAMETERS,
        "eps is divided among the k pools",
        300,
        exp_eps=Fraction(math.exp(1 / 6)),
    ),
    slip(
        "pan-uniformity-share-zero",
        "pan-uniformity",
        PARAMETERS,
        "2 // 9 = 0: no element of the stream is ever used",
        64,
        64 * divergence({0: 1.0}, law_of_left(machine("pan-uniformity"), 2)),
        share=Fraction(0),
    ),
)
