"""Theorem hist-pan: the pan-private histogram."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, smt

STREAMS = list(product((1, 2, 3), repeat=2))
CASES = [(x, y) for x in STREAMS for y in STREAMS if sum(a != b for a, b in zip(x, y, strict=True)) <= 1]


def bins_change(says: str, at_most: int, by: Fraction = Fraction(1)) -> Step:
    """Neighbouring streams differ in so many bins, each by so much."""

    def holds(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        changes = [abs(case[0].count(j) - case[1].count(j)) for j in (1, 2, 3)]
        return sum(change > 0 for change in changes) <= at_most and all(change <= by for change in changes)

    return exhaustive(says + ", for k = 3 and streams of length two", holds, CASES, str)


STATEMENT = Statement(
    label="theorem:hist-pan",
    where="section 5, Theorem hist-pan, privacy and l-infinity error",
    kind="theorem",
    printed="For lambda >= 20 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), Q_ZSUM on every bin is (2 eps, 2 delta)-pan-private and its "
    "l-infinity error is at most 2 lambda.",
    hypotheses=("eps > 0, delta in (0,1), lambda in N",),
    covers=("theorem:hist-pan",),
    steps=(kernel("paper-thm-hist-pan"),),
    constants=(
        Constant(
            "20",
            slack="as for one sum: 2.06 c^2 ln(2/delta) coins are enough for one bin (binomial-mechanism-constant)",
        ),
        Constant("2", twin="error 1.99 lambda", by="1.99"),
    ),
    twins=(
        bins_change("changing one element changes at most one bin", 1),
        smt(
            "a + b <= 1.99*lam",
            ("a <= lam", "b <= lam"),
            says="error 1.99 lambda",
            a="[0, inf)",
            b="[0, inf)",
            lam="[1, inf)",
        ),
    ),
    rests_on=("binomial-mechanism-constant",),
)
