"""Hoeffding's inequality for sums of independent bits."""

from __future__ import annotations

from itertools import accumulate

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import computed, kernel, smt
from panshuffle.symbolic.decision import Decision, Status

FAIR, ABOVE = 20_000, 1_000


def upper_tail(k: int, above: int) -> int:
    """How many of the 2^k outcomes of k bits have at least k/2 + above ones, k/2 rounded down."""
    return sum(accumulate(range(k, k // 2 + above, -1), lambda term, x: term * x // (k - x + 1), initial=1))


def larger_exponent() -> Decision:
    """P[C - k/2 >= t] <= e^(-2.1 t^2/k) for k = 20000 fair bits and t = 1000, in whole numbers and a ball (it is not)."""
    from flint import arb, ctx

    with ctx.workprec(200):
        chance = arb(upper_tail(FAIR, ABOVE)) / arb(2) ** FAIR
        bound = (arb(-21) / 10 * ABOVE**2 / FAIR).exp()
        if chance > bound:
            witness = f"k = {FAIR} fair bits, t = {ABOVE}: the probability is {chance.str(5)}, the bound {bound.str(5)}"
            return Decision(Status.REFUTED, "ball computation", witness)
    return Decision(Status.UNDECIDED, "ball computation")


STATEMENT = Statement(
    where="used in section 3.1, Accuracy (II)",
    kind="fact",
    printed="For independent bits X_1, ..., X_k with sum C and t >= 0: P[C - E[C] >= t] <= e^(-2t^2/k), the same for E[C] - C, and so "
    "P[|C - E[C]| >= t] <= 2 e^(-2t^2/k).",
    hypotheses=("k >= 1; X_j in {0, 1}, independent, not necessarily of one law", "t >= 0"),
    steps=(kernel("hoeffding"),),
    constants=(
        Constant("2", twin="with e^(-2.1 t^2/k), one-sided, at k = 20000", by="2.1"),
        Constant("1/4", twin="with phi'' <= 0.24", by="0.24"),
    ),
    twins=(
        smt("q*(1 - q) <= 0.24", says="with phi'' <= 0.24", q="[0, 1]"),
        computed(
            "with e^(-2.1 t^2/k), one-sided, at k = 20000",
            larger_exponent,
            "ball",
            "the same tail by math.comb, tests/test_ledger_honesty.py",
        ),
    ),
)
