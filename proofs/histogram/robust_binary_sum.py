"""Claim robust_bc: P^zsum of Balcer and Cheu is robustly shuffle private."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality, kernel, smt

STATEMENT = Statement(
    label="claim:robust_bc",
    where="Appendix A.4, Claim robust_bc (its interval for gamma is misprinted as (01,] and read as (0,1])",
    kind="claim",
    printed=(
        "For n >= 20 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), P^zsum is (eps, 2(delta/2)^gamma, gamma)-robustly shuffle private."
    ),
    hypotheses=("eps > 0, gamma in (0,1], delta in (0,1)", "gamma' n is a whole number for the gamma' considered"),
    covers=("claim:robust_bc", "display-55", "display-57"),
    rests_on=("binomial-mechanism", "post-processing", "binary-sum-worst-neighbour"),
    steps=(
        kernel("robust-binary-sum"),
        smt(
            "1/2 <= 1 - 10*c2*L/n < 1",
            ("n >= 20*c2*L",),
            says="p = 1 - (10/n) c^2 ln(2/delta) is a probability, and min(p, 1-p) = 1-p",
            n="[1, inf)",
            c2="[1, inf)",
            L="(0, inf)",
        ),
        smt(
            "g1*n*(10*c2*L/n) >= g1*10*c2*L >= g*10*c2*L",
            ("g1 >= g",),
            says="the displayed chain, with gamma' = g1 >= gamma = g",
            n="[1, inf)",
            c2="[1, inf)",
            L="(0, inf)",
            g="(0, 1]",
            g1="(0, 1]",
        ),
        identity(
            "g*10*c2*log(2/d) = 10*c2*log(2/(2*(d/2)^g))",
            says="the last line of the chain",
            c2="[1, inf)",
            d="(0, 1)",
            g="(0, 1]",
        ),
        inequality(
            "2*(d/2)^g > 0",
            says="2(delta/2)^gamma is above 0; where it is 1 or more nothing is claimed",
            d="(0, 1)",
            g="(0, 1]",
        ),
    ),
    twins=(
        smt(
            "1/2 <= 1 - 10*c2*L/n",
            ("n >= 19*c2*L",),
            says="with n >= 19 c^2 ln(2/delta)",
            n="[1, inf)",
            c2="[1, inf)",
            L="(0, inf)",
        ),
        identity(
            "g*10*c2*log(2/d) = 10*c2*log(2/(d^g))",
            says="with delta^gamma in place of 2(delta/2)^gamma",
            c2="[1, inf)",
            d="(0, 1)",
            g="(0, 1]",
        ),
    ),
)
