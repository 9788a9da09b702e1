"""Lemma ut-transformation: the Chernoff step with 2/9."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, family, kernel, kernel_refutation

SIXTH = Fraction(1, 6)


def above(n: int) -> Fraction:
    """P[Bin(n, 2/9) > n/3]."""
    return Fraction(sum(comb(n, x) * 2**x * 7 ** (n - x) for x in range(n // 3 + 1, n + 1)), 9**n)


def below(says: str, start: int, limit: Fraction = SIXTH, step: int = 1) -> Step:
    """P[Bin(n, 2/9) > n/3] < limit for every n >= start (every multiple of `step`); beyond 90 by Hoeffding."""
    return family(
        says,
        above,
        limit,
        start,
        90,
        "exp(-2*n/81)",
        "hoeffding",
        lambda n: f"n = {n}: the probability is {float(above(n)):.4f}, not below {limit}",
        step,
    )


STATEMENT = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, proof of Lemma ut-transformation, accuracy",
    kind="step",
    printed="By a binomial Chernoff bound, for n > sqrt(ln 12) = 1.576...: P[Bin(n, 2/9) > n/3] < 1/6.",
    reading="n is a multiple of 3: the algorithm's stream has n/3 elements. (For other n it fails at n = 2, 4, 5, 7, 8, 11 and 14.)",
    steps=(kernel("paper-chernoff-step-repaired"),),
    also=(
        below("for every n >= 15", 15),
        exhaustive(
            "between 2 and 14 it fails exactly at 2, 4, 5, 7, 8, 11 and 14",
            lambda n: (above(n) >= SIXTH) == (n in (2, 4, 5, 7, 8, 11, 14)),
            range(2, 15),
            whole=True,
        ),
    ),
    constants=(
        Constant(
            "1/6",
            slack="the largest value at a multiple of 3 is 0.12804... at n = 6, so 0.1281 holds and 0.128 does not (the twin)",
        ),
    ),
    twins=(
        below("for every n >= 14", 14),
        below("for every multiple of 3, with 0.128", 3, Fraction(128, 1000), step=3),
        kernel_refutation("paper-chernoff-step", "n = 2, which is above sqrt(ln 12): 1 - (7/9)^2 = 32/81 > 1/6"),
    ),
)
