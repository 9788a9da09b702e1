"""Claim robust_bc: P^zsum of Balcer and Cheu is robustly shuffle private."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel, smt

STATEMENT = Statement(
    label="claim:robust_bc",
    where="Appendix A.4, Claim robust_bc",
    kind="claim",
    printed="For any eps > 0, gamma in (0,1] and delta in (0,1) with n >= 20 ((e^eps+1)/(e^eps-1))^2 ln(2/delta) users, P^zsum is (eps, 2(delta/2)^gamma, gamma)-robustly shuffle private.",
    reading="The interval of gamma is misprinted as (01,]. The definition of robust privacy speaks of all n; this claim is for the n that it states (for small n the p of P^zsum is no probability). gamma' n is a whole number for the gamma' considered, as section 2.3 assumes. "
    "Where 2(delta/2)^gamma is 1 or more, nothing is claimed.",
    covers=("claim:robust_bc", "display-55", "display-57"),
    steps=(kernel("paper-claim-robust-bc"),),
    constants=(
        Constant("20", twin="with n >= 19.5 c^2 ln(2/delta)", by="19.5"),
        Constant("10", slack="not tight: 1.03 suffices (binomial-mechanism-constant)"),
    ),
    also=(kernel("robust-binary-sum"),),
    twins=(
        smt(
            "1/2 <= 1 - 10*c2*L/n",
            ("n >= 19.5*c2*L",),
            says="with n >= 19.5 c^2 ln(2/delta)",
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
    rests_on=("binomial-mechanism-constant",),
)
