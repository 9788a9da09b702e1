"""Section 4.1.1: 'E_j is symmetrically distributed' - over the integers?"""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import binomial, image
from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, kernel_refutation, smt


def noise(says: str, integer: bool, scales: range, shift: Fraction = Fraction(0)) -> Step:
    """E_j = Bin(l, 1/2) - l/2 + shift is symmetric (and integer)."""

    def holds(l: int) -> bool:
        law = image(binomial(l, Fraction(1, 2)), lambda x: Fraction(x) - Fraction(l, 2) + shift)
        values = [v for v in law if isinstance(v, Fraction)]
        symmetric = all(law.get(-v, Fraction(0)) == law[v] for v in values)
        return symmetric and (not integer or all(v.denominator == 1 for v in values))

    return exhaustive(says, holds, scales, lambda l: f"l_j = {l}: E_j is not like that")


STATEMENT = Statement(
    label="clm:symmetric-mean-zero",
    where="section 4.1.1, Case 2, where Claim symmetric-mean-zero is applied to E_j, and P[B >= 0] >= 1/2",
    kind="step",
    printed="E_j = Bin(l_j, 1/2) - l_j/2 is symmetric over the integers, as the claim asks, so P[B >= 0] >= 1/2.",
    severity="unproved step",
    steps=(kernel_refutation("noise-integer-refuted", "l_j = 1: E_j is 1/2 or -1/2"),),
    why="For odd l_j, E_j is a half-integer, and the d_j = c_j - m/k of B are random; the claim as printed does not apply.",
    repair=Repair(
        "E_j has a finite law that is symmetric over the reals; the claim holds there and is applied given the counts, so P[B >= 0] >= 1/2.",
        (
            kernel("noise-symmetric"),
            kernel("symmetric-mean-zero"),
            kernel("symmetric-half"),
        ),
    ),
    survives="P[B >= 0] >= 1/2 holds.",
    twins=(
        noise("E_j with mean 1/100 is symmetric", False, range(1, 3), Fraction(1, 100)),
        smt(
            "up + zero >= 0.51",
            ("up + zero + down = 1", "up = down"),
            says="P[B >= 0] >= 0.51",
            up="[0, 1]",
            zero="[0, 1]",
            down="[0, 1]",
        ),
    ),
)
