"""Numbers that are computed or read wrongly."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, PARAMETERS, Bug, bug
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import exponential


def trials_without_the_two(scene):
    right = machine(scene)
    return math.ceil(10 * right.c_squared * math.log(1 / right.delta) / min(right.p, 1 - right.p))


def shares_by_natural_logarithm(scene):
    right = machine(scene)
    return max(3, math.floor(math.log(float((right.exp_eps + 1) / right.delta))) + 2)


def numbers_without_the_union_bound(scene):
    """lam from ln(2/delta), and the threshold that follows from it."""
    right = machine(scene)
    lam = math.ceil(40 * right.c_squared * math.log(2 / right.delta))
    k, m = right.labels, right.m
    variance = (k / m) ** 2 * k * (2 * (m / k + lam / 4) ** 2 + 5 * lam / 16)
    return {"lam": lam, "mean": Fraction(lam, right.n), "tau": k**2 * lam / (4 * m) + math.sqrt(2 * variance)}


BUGS: tuple[Bug, ...] = (
    bug(
        "tenth-probability-kept-with-one-decimal",
        "binary-sum-formula",
        PARAMETERS,
        "The computed p = 0.592 is written to the configuration with one decimal, so the users draw with p = 0.6.",
        6000,
        p=Fraction(round(machine("binary-sum-formula").flip, 1)),
    ),
    bug(
        "tenth-log-of-one-over-delta",
        "binomial-formula",
        PARAMETERS,
        "The number of trials is computed with ln(1/delta) instead of ln(2/delta).",
        300,
        l=trials_without_the_two("binomial-formula"),
    ),
    bug(
        "tenth-shares-by-natural-logarithm",
        "distinct-formula",
        PARAMETERS,
        "The number of shares m is computed with the natural logarithm instead of the one to base 2.",
        300,
        evidence=CERTAIN,
        m=shares_by_natural_logarithm("distinct-formula"),
    ),
    bug(
        "tenth-budget-split-in-two",
        "pan-sum-formula",
        PARAMETERS,
        "lam is computed for eps/2, as if state and output had to share the budget.",
        300,
        exp_eps=exponential("1"),
    ),
    bug(
        "tenth-no-union-bound-over-labels",
        "uniformity-formula",
        PARAMETERS,
        "lam is computed with ln(2/delta) instead of ln(2k/delta).",
        300,
        **numbers_without_the_union_bound("uniformity-formula"),
    ),
    bug(
        "tenth-chance-of-randomized-response",
        "randomized-or",
        PARAMETERS,
        "The chance of a 1 without any true bit is 1/(1 + e^eps), as in randomized response, instead of 1/(2 e^eps).",
        3000,
        low=Fraction(1, 4),
    ),
    bug(
        "tenth-success-and-failure-swapped",
        "negative-binomial",
        PARAMETERS,
        "The library's negative binomial takes the other one of p and 1-p, and p is handed over as it is.",
        300,
        flip=2 / 3,
    ),
)
