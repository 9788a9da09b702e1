"""Theorem de_upper, Part II: the order of alpha."""

from __future__ import annotations

from proofs.statement import Constant, Repair, Statement
from proofs.steps import inequality, no_constant

ALPHA = "exp(e)/(exp(e) - 1)*sqrt(2*log(2/b))"

STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, Theorem de_upper, Part II, the second equality",
    kind="theorem",
    printed="alpha = e^eps/(e^eps-1) sqrt(2k ln(2/beta)) = O(max(1, 1/eps) sqrt(k log(1/beta))) for eps > 0, beta in (0,1). (k cancels.)",
    covers=("display-5",),
    steps=(
        no_constant(
            "some constant C bounds alpha/sqrt(k) by C max(1, 1/eps) sqrt(ln(1/beta)) for every eps > 0 and beta in (0,1)",
            inequality(
                "exp(1)/(exp(1) - 1)*sqrt(2*(log(2) + u)) > 1",
                says="at eps = 1 and ln(1/beta) = u = 1/C^2 the bound is 1, but alpha/sqrt(k) = e/(e-1) sqrt(2 (ln 2 + u)) is above 1, for every C > 0",
                u="(0, inf)",
            ),
            "u",
            toward="0",
        ),
    ),
    severity="convention",
    why="As beta goes to 1, ln(2/beta) goes to ln 2 but ln(1/beta) to 0: for the constant C, beta = e^(-1/C^2) is a witness. Nobody uses beta near 1.",
    repair=Repair(
        "alpha <= 3 max(1, 1/eps) sqrt(k ln(2/beta)), and O(max(1, 1/eps) sqrt(k log(1/beta))) for beta bounded away from 1.",
        (
            inequality("exp(e)/(exp(e) - 1)*sqrt(2) <= 3", says="eps >= 1", e="[1, inf)"),
            inequality("exp(e)/(exp(e) - 1)*sqrt(2) <= 3/e", says="eps <= 1", e="(0, 1]"),
            inequality("log(2/b) <= 2*log(1/b)", says="beta <= 1/2", b="(0, 1/2]"),
        ),
        argument=(
            "alpha = e^eps/(e^eps-1) sqrt(2) sqrt(k ln(2/beta)); the first step bounds the first two factors by 3 = 3 max(1, 1/eps) for eps >= 1, the second by 3/eps for eps <= 1. For beta <= 1/2 the "
            "third gives alpha <= 3 sqrt(2) max(1, 1/eps) sqrt(k ln(1/beta))."
        ),
    ),
    survives="The theorem's alpha itself is right; uses with a constant beta below 1 are not touched.",
    constants=(Constant("3", slack="not tight: 2.24 = sqrt(2) e/(e-1), rounded up, suffices, and 2.2 does not"),),
    twins=(
        inequality("exp(e)/(exp(e) - 1)*sqrt(2) <= 2.2", says="the repair with 2.2", e="[1, inf)"),
        inequality("log(2/b) <= 2*log(1/b)", says="the repair for beta up to 0.51", b="(0, 0.51]"),
    ),
)
