"""Sixth zoo: wrong parameters and formulas."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.blind_zoo_bug import CERTAIN, PARAMETERS, Bug, bug, evidence_of
from tests.blind_zoo_draws import Law, as_law, binomial_masses, poisson_masses
from tests.blind_zoo_online import machine
from tests.blind_zoo_protocols import Uniformity


def scaled_log(scene: str, factor: float, inside: float) -> float:
    """The formulas' shape: a factor times c squared times the logarithm of something over delta."""
    return factor * machine(scene).c_squared * math.log(inside / machine(scene).delta)


def with_lam(lam: int):
    """The derivation from another lambda, the threshold included."""

    def derive(self, texts):
        self.lam = lam
        Uniformity.derive(self, {**texts, "lam": str(lam)})

    return derive


def formula_evidence(scene: str, runs: int, **changes) -> float | None:
    """The evidence where a step is replaced but the machine's laws still hold."""
    return evidence_of(machine(scene, **changes).coordinates(), machine(scene).coordinates(), runs)


def sizes(scene: str, runs: int, mean: float) -> float | None:
    """The evidence in the sizes of the pools of noise with another mean."""
    plain = machine(scene)
    laws = [as_law(poisson_masses(float(mean) * len(plain.people))) for mean in (mean, plain.mean)]
    return plain.labels * evidence_of(laws[:1], laws[1:], runs)


def left_law(share: float) -> Law:
    """The law of n_left after two elements of the scene pan-uniformity."""
    law = dict.fromkeys(range(5), 0.0)
    for used, mass in enumerate(binomial_masses(18, float(share))):
        law[max(0, min(used, 6) - 2)] += mass
    return law


PLAIN_LAM = math.ceil(scaled_log("uniformity-formula", 40, 2))
C = math.sqrt(machine("binomial-formula").c_squared)
FEW = machine("distinct-few-messages")

BUGS: tuple[Bug, ...] = (
    bug(
        "log-one-over-delta",
        "binary-sum-formula",
        PARAMETERS,
        "The formula of p has ln(1/delta) instead of ln(2/delta), so p is too large.",
        300,
        p=1 - scaled_log("binary-sum-formula", 10, 1) / 130,
    ),
    bug(
        "c-not-squared",
        "binomial-formula",
        PARAMETERS,
        "The factor (e^eps+1)/(e^eps-1) isn't squared in the formula of l, so l is less than half of what it should "
        "be.",
        200,
        l=math.ceil(20 * C * math.log(2 / machine("binomial-formula").delta)),
    ),
    bug(
        "floor-of-lambda",
        "pan-sum-formula",
        PARAMETERS,
        "Lambda is rounded down instead of up in its formula, so it is one too small.",
        5000,
        lam=math.floor(scaled_log("pan-sum-formula", 20, 2)),
    ),
    bug(
        "labels-not-in-log",
        "uniformity-formula",
        PARAMETERS,
        "The formula of lambda has ln(2/delta) instead of ln(2k/delta): the union bound over the labels was forgotten.",
        300,
        formula_evidence("uniformity-formula", 300, derive=with_lam(PLAIN_LAM)),
        derive=with_lam(PLAIN_LAM),
    ),
    bug(
        "p-prime-not-halved",
        "distinct",
        PARAMETERS,
        "The probability p' of a 1 for a label that isn't the user's own isn't divided by two.",
        1000,
        p_prime=2 * machine("distinct").p_prime,
    ),
    bug(
        "one-message-fewer",
        "distinct-formula",
        PARAMETERS,
        "The formula of m adds 1 instead of 2 to the rounded logarithm, so each user sends one message fewer for each "
        "label.",
        200,
        CERTAIN,
        m=machine("distinct-formula").m - 1,
    ),
    bug(
        "p-one-decimal",
        "negative-binomial",
        PARAMETERS,
        "The success probability 1/3 was rounded to one decimal, 0.3.",
        2000,
        flip=0.3,
    ),
    bug(
        "lambda-for-each-poisson",
        "skellam",
        PARAMETERS,
        "Each of the two Poisson numbers has mean lambda instead of lambda/2, so the variance is doubled.",
        500,
        mean=Fraction(10),
    ),
    bug(
        "classic-response",
        "randomized-or",
        PARAMETERS,
        "The probability of a 1 for all zeros is 1/(1+e^eps) as in classic randomized response instead of 1/(2 e^eps).",
        3000,
        low=Fraction(1, 4),
    ),
    bug(
        "integer-division-of-lambda",
        "compressed",
        PARAMETERS,
        "Lambda/n is an integer division, so the mean number of noise bits of a user is 1 instead of 1.5.",
        300,
        sizes("compressed", 300, 1),
        mean=Fraction(1),
    ),
    bug(
        "kth-root",
        "distinct-few-messages",
        PARAMETERS,
        "The formula of p' takes the k-th root instead of the n-th root, so p' is a little too small.",
        5000,
        p_prime=(1 - float(1 - 1 / FEW.exp_eps) ** (1 / FEW.k)) / 2,
    ),
    bug(
        "one-coin-more",
        "binomial",
        PARAMETERS,
        "The loop over the coins runs from 0 to l inclusive, so l + 1 coins are thrown.",
        5000,
        l=41,
    ),
    bug(
        "share-a-third",
        "pan-uniformity",
        PARAMETERS,
        "The number of stream elements used is binomial with probability 1/3 instead of 2/9.",
        500,
        evidence_of([left_law(1 / 3)], [left_law(2 / 9)], 500),
        share=Fraction(1, 3),
    ),
)
