"""The generating function of a binomial law."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

Case = tuple[int, Fraction, Fraction]
LARGEST = 6
CASES: list[Case] = [
    (l, Fraction(p, LARGEST), Fraction(e, 3)) for l in range(LARGEST + 1) for p in range(l + 1) for e in range(l + 1)
]


def sums_to(says: str, power: int = 0) -> Step:
    """The sum of the masses times E^x is (1 - p + pE)^(l + power)."""

    def holds(case: Case) -> bool:
        l, p, exp_eps = case
        total = sum(comb(l, x) * p**x * (1 - p) ** (l - x) * exp_eps**x for x in range(l + 1))
        return total == (1 - p + p * exp_eps) ** (l + power)

    return exhaustive(says, holds, CASES, lambda case: f"l = {case[0]}, p = {case[1]}, E = {case[2]}")


STATEMENT = Statement(
    where="used in section 2.1, the binomial mechanism",
    kind="fact",
    printed="For X ~ Bin(l, p): E[E^X] = (1 - p + pE)^l.",
    hypotheses=("l >= 0 is a whole number", "0 <= p <= 1", "E > 0"),
    steps=(kernel("binomial-generating-function"),),
    twins=(sums_to("with the power l + 1", 1), sums_to("with the power l - 1 or, for l = 0, none", -1)),
)
