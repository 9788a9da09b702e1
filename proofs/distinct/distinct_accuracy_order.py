"""Theorem de_upper, Part II: the order of alpha."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import inequality, kernel, kernel_refutation

STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, Theorem de_upper, Part II, the second equality",
    kind="theorem",
    printed="alpha = e^eps/(e^eps-1) sqrt(2k ln(2/beta)) = O(max(1, 1/eps) sqrt(k log(1/beta))) for eps > 0, beta in (0,1). (k cancels.)",
    covers=("display-5",),
    steps=(
        kernel_refutation(
            "paper-thm-de-upper-ii-order",
            "k = 1, eps = 1, beta near 1: the left side is at least sqrt(2 ln 2), and ln(1/beta) goes to 0",
        ),
    ),
    severity="convention",
    why="As beta goes to 1, ln(2/beta) goes to ln 2 but ln(1/beta) to 0: for the constant C, beta = e^(-1/C^2) is a witness. Nobody uses beta near 1.",
    repair=Repair(
        "alpha <= 3 max(1, 1/eps) sqrt(k ln(2/beta)).",
        (kernel("paper-thm-de-upper-ii-order-repaired"),),
    ),
    survives="The theorem's alpha itself is right; uses with a constant beta below 1 are not touched.",
    constants=(Constant("3", slack="not tight: 2.24 = sqrt(2) e/(e-1), rounded up, suffices, and 2.2 does not"),),
    twins=(
        inequality("exp(e)/(exp(e) - 1)*sqrt(2) <= 2.2", says="the repair with 2.2", e="[1, inf)"),
        inequality("log(2/b) <= 2*log(1/b)", says="the repair for beta up to 0.51", b="(0, 0.51]"),
    ),
)
