"""Algorithm Q_P for distinct elements: is the output an integer in [k]?"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, kernel_refutation

Case = tuple[int, int, Fraction]
CASES: list[Case] = [(c, k, Fraction(e)) for k in range(1, 4) for e in (2, 3) for c in range(k + 1)]


def estimate(count: int, k: int, exp_eps: Fraction) -> Fraction:
    """z = (2 C e^eps - k)/(e^eps - 1), what A_DE returns for C pools with sum 1."""
    return (2 * count * exp_eps - k) / (exp_eps - 1)


def every_estimate(says: str, holds: Callable[[Fraction, int], bool]) -> Step:
    """A claim about z and k for every C in 0, ..., k, each of which occurs with positive probability."""
    return exhaustive(
        says + ", for k <= 3, e^eps in {2, 3} and every C in 0, ..., k",
        lambda case: holds(estimate(*case), case[1]),
        CASES,
        lambda case: f"k = {case[1]}, e^eps = {case[2]}, C = {case[0]}: the output is {estimate(*case)}",
    )


STATEMENT = Statement(
    label="alg:de-transformation",
    where="section 3.2, Algorithm Q_P for distinct elements, its output",
    kind="algorithm",
    printed="Q_P outputs an integer in [k].",
    reading="With P = P_DE, the protocol that the paper has for the problem.",
    covers=("alg:de-transformation",),
    steps=(kernel_refutation("estimate-range-refuted", "k = 1, C = 0, eps = 1: the output is -1/(e - 1)"),),
    severity="convention",
    why="A_DE de-biases a count, so its output is a real number that may be negative or above k.",
    repair=Repair(
        "The output is a real number between -k/(e^eps - 1) and k(2e^eps - 1)/(e^eps - 1).",
        (kernel("estimate-range"),),
    ),
    survives="Lemma de-transformation does not use the range.",
    twins=(
        every_estimate("the output is an integer", lambda z, k: z.denominator == 1),
        every_estimate("the output is at most k", lambda z, k: z <= k),
        every_estimate("the output is at least 0", lambda z, k: z >= 0),
    ),
)
