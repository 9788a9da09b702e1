"""Algorithm Q_P for distinct elements: is the output an integer in [k]?"""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Statement
from symbolic.answer import Answer
from symbolic.exhaustive import check_all


def estimate(count: int, k: int, exp_eps: Fraction) -> Fraction:
    """z = (2 C e^eps - k)/(e^eps - 1), what A_DE returns for C pools with sum 1."""
    return (2 * count * exp_eps - k) / (exp_eps - 1)


def check() -> Answer:
    """Each C in 0, ..., k occurs with positive probability, so each of its estimates would have to be in [k]."""
    cases = [(c, k, Fraction(e)) for k in range(1, 4) for e in (2, 3) for c in range(k + 1)]
    return check_all(
        lambda case: (z := estimate(*case)).denominator == 1 and 1 <= z <= case[1],
        cases,
        lambda case: f"k = {case[1]}, e^eps = {case[2]}, C = {case[0]}: the output is {estimate(*case)}",
    )


STATEMENT = Statement(
    label="alg:de-transformation",
    where="section 3.2, Algorithm Q_P for distinct elements",
    printed="With P = P_DE the output is an integer in [k].",
    check=check,
    repair="The output is a real number between -k/(e^eps - 1) and k(2e^eps - 1)/(e^eps - 1).",
)
