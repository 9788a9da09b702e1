"""Claim symmetric-mean-zero."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, image, independent
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

SYMMETRIC: list[Law] = [
    {-1: Fraction(1, 2), 1: Fraction(1, 2)},
    {-2: Fraction(1, 3), 0: Fraction(1, 3), 2: Fraction(1, 3)},
    {0: Fraction(1)},
]
SKEW: Law = {-1: Fraction(2, 3), 2: Fraction(1, 3)}
FACTORS = [Fraction(0), Fraction(1), Fraction(-3, 2)]


def symmetric(says: str, laws: list[Law], together: bool = False) -> Step:
    """d_1 E_1 + d_2 E_2 is symmetric; `together` takes E_2 = E_1^2 in place of an independent one."""

    def holds(case: tuple[Law, Law, Fraction, Fraction]) -> bool:
        first, second, d1, d2 = case
        if together:
            law = image(first, lambda x: d1 * x + d2 * x * x)
        else:
            law = image(independent(first, second), lambda parts: d1 * parts[0] + d2 * parts[1])
        return all(law.get(-v, Fraction(0)) == mass for v, mass in law.items() if isinstance(v, Fraction))

    cases = [(first, second, a, b) for first in laws for second in laws for a in FACTORS for b in FACTORS]
    return exhaustive(says, holds, cases, lambda case: f"{case[0]} and {case[1]} with factors {case[2]} and {case[3]}")


STATEMENT = Statement(
    label="clm:symmetric-mean-zero",
    where="section 4.1.1, Claim symmetric-mean-zero",
    kind="claim",
    printed="If E_1, ..., E_k are independent, symmetric over the integers with mean zero, and d_j real, sum E_j d_j is symmetric with mean zero.",
    covers=("clm:symmetric-mean-zero",),
    steps=(kernel("paper-clm-symmetric-mean-zero"),),
    twins=(
        symmetric("mean zero without symmetry", [SKEW]),
        symmetric("without independence", SYMMETRIC, together=True),
    ),
)
