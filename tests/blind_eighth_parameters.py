"""Eighth zoo: parameters misread."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from tests.blind_zoo_bug import CERTAIN, PARAMETERS, bug, evidence_of
from tests.blind_zoo_draws import as_law, poisson_masses
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import exponential


def delta_not_halved(scene):
    right = machine(scene)
    return 1 - 10 * right.c_squared * log(1 / right.delta) / right.n


def ratio_not_squared(scene):
    right = machine(scene)
    return ceil(20 * right.c_squared**0.5 * log(2 / right.delta))


def root_of_the_domain(scene):
    right = machine(scene)
    return (1 - float(1 - 1 / right.exp_eps) ** (1 / right.k)) / 2


def totals_evidence(scene, mean, runs):
    """By the number of noise messages in each pool of the state."""
    right = machine(scene)
    users = right.before + right.t
    laws = [as_law(poisson_masses(float(each) * users)) for each in (mean, right.mean)]
    return evidence_of([laws[0]] * right.labels, [laws[1]] * right.labels, runs)


BUGS = (
    bug(
        "two-forgotten-in-the-logarithm",
        "binary-sum-formula",
        PARAMETERS,
        "p is computed with ln(1/delta) instead of ln(2/delta).",
        200,
        p=delta_not_halved("binary-sum-formula"),
    ),
    bug(
        "ratio-not-squared",
        "binomial-formula",
        PARAMETERS,
        "The number l is computed with (e^eps+1)/(e^eps-1) where the formula has its square.",
        64,
        l=ratio_not_squared("binomial-formula"),
    ),
    bug(
        "root-of-the-domain-size",
        "distinct",
        PARAMETERS,
        "p' is computed with the exponent 1/k instead of 1/n.",
        2500,
        p_prime=root_of_the_domain("distinct"),
    ),
    bug(
        "constant-of-the-hash-range-ignored",
        "hashed-wide",
        PARAMETERS,
        "The parameter c is not handed on, so the hash has the range ceil(n^(4/3)) instead of ceil(c n^(4/3)).",
        64,
        CERTAIN,
        c=Fraction(1),
    ),
    bug(
        "exponential-taken-twice",
        "geometric-wide",
        PARAMETERS,
        "The value given as e^eps is taken for eps and is exponentiated again.",
        300,
        exp_eps=exponential("5/4"),
    ),
    bug(
        "length-of-the-stream-taken-for-n",
        "pan-uniformity",
        PARAMETERS,
        "The noise messages per user and label have mean lam/(n/3): the randomizer gets the length of the stream as n.",
        64,
        totals_evidence("pan-uniformity", Fraction(3), 64),
        mean=Fraction(3),
    ),
    bug(
        "probability-of-randomized-response",
        "randomized-or",
        PARAMETERS,
        "If no bit is 1 the answer is 1 with probability 1/(1+e^eps), as in randomized response, instead of"
        " 1/(2 e^eps).",
        5000,
        low=Fraction(1, 4),
    ),
)
