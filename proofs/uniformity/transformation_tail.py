"""Lemma ut-transformation: the Chernoff step with 2/9."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from proofs.statement import Repair, Statement, Step
from proofs.steps import family

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
    printed="For n > sqrt(ln 12) = 1.576...: P[Bin(n, 2/9) > n/3] < 1/6.",
    rests_on=("hoeffding",),
    steps=(below("for every n >= 2", 2),),
    why="At n = 2 it is 1 - (7/9)^2 = 32/81. A Chernoff bound gives a condition of the form n > C ln 12, not its root.",
    repair=Repair(
        "It holds for every n >= 15, and for every multiple of 3, which is all that the algorithm needs; it fails exactly for "
        "n = 1, 2, 4, 5, 7, 8, 11 and 14.",
        (below("for every n >= 15", 15), below("for every multiple of 3", 1, step=3)),
    ),
    survives="The lemma assumes that n is a multiple of 3 and larger than some constant, and survives this step.",
    twins=(
        below("for every n >= 14", 14),
        below("for every n >= 15, with 1/7", 15, Fraction(1, 7)),
        below("for every multiple of 2", 1, step=2),
    ),
)
