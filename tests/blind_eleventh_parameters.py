"""Numbers that are computed wrongly from the privacy parameters."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, PARAMETERS, bug
from tests.blind_zoo_online import machine


def p_with_decimal_logarithm():
    right = machine("binary-sum-formula")
    return 1 - 10 * right.c_squared * math.log10(2 / right.delta) / right.n


def coins_without_square():
    right = machine("binomial-formula")
    return math.ceil(10 * math.sqrt(right.c_squared) * math.log(2 / right.delta) / 0.5)


def messages_with_natural_logarithm():
    right = machine("distinct-formula")
    return max(3, math.floor(math.log(float((right.exp_eps + 1) / right.delta))) + 2)


def p_prime_without_half():
    return 2 * machine("distinct").p_prime


def exp_half_eps():
    return Fraction(math.sqrt(machine("geometric-wide").exp_eps))


def noise_without_union_bound():
    """lambda without k in its logarithm, and what follows from it."""
    right = machine("uniformity-formula")
    k, m = right.labels, right.m
    lam = math.ceil(40 * right.c_squared * math.log(2 / right.delta))
    variance = (k / m) ** 2 * k * (2 * (m / k + lam / 4) ** 2 + 5 * lam / 16)
    tau = k**2 * lam / (4 * m) + math.sqrt(2 * variance)
    return {"lam": lam, "mean": Fraction(lam, right.n), "tau": tau}


def buckets_with_c_in_the_power():
    right = machine("hashed-wide")
    return math.ceil(float(right.c * right.n) ** (4 / 3))


BUGS = (
    bug(
        "eleventh-decimal-logarithm-in-p",
        "binary-sum-formula",
        PARAMETERS,
        "The noise probability p is computed with the decimal logarithm of 2/delta instead of the natural one.",
        300,
        p=p_with_decimal_logarithm(),
    ),
    bug(
        "eleventh-number-of-coins-without-the-square",
        "binomial-formula",
        PARAMETERS,
        "The factor (e^eps + 1)/(e^eps - 1) is not squared in the formula for the number of coins l.",
        300,
        l=coins_without_square(),
    ),
    bug(
        "eleventh-natural-logarithm-in-m",
        "distinct-formula",
        PARAMETERS,
        "The number of messages m is computed with the natural logarithm, where the formula has the binary one.",
        300,
        CERTAIN,
        m=messages_with_natural_logarithm(),
    ),
    bug(
        "eleventh-p-prime-not-halved",
        "distinct",
        PARAMETERS,
        "The division by 2 in the formula for p' is forgotten.",
        1000,
        p_prime=p_prime_without_half(),
    ),
    bug(
        "eleventh-sensitivity-two-for-distinct-count",
        "geometric-wide",
        PARAMETERS,
        "The geometric noise is scaled for a sensitivity of 2, so that eps/2 stands in the place of eps.",
        500,
        exp_eps=exp_half_eps(),
    ),
    bug(
        "eleventh-lambda-without-k-in-the-logarithm",
        "uniformity-formula",
        PARAMETERS,
        "The logarithm in lambda is taken of 2/delta instead of 2k/delta.",
        300,
        **noise_without_union_bound(),
    ),
    bug(
        "eleventh-c-inside-the-power",
        "hashed-wide",
        PARAMETERS,
        "The number of buckets is (c n)^(4/3) instead of c n^(4/3).",
        300,
        CERTAIN,
        labels=buckets_with_c_in_the_power(),
    ),
)
