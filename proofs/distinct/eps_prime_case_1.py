"""Section 3.1, Case 1: eps' <= eps + ln(1/gamma)."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

EPS_PRIME = "log(1/(1 - (1 - exp(-e))^g))"

STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper, Case 1 (printed for eps > ln 2, used for every eps)",
    kind="display",
    printed="eps' = ln(1/(1 - (1-e^-eps)^gamma)) <= ln(1/(1-(1-gamma e^-eps))) = eps + ln(1/gamma).",
    hypotheses=("eps > 0", "gamma in (0,1]"),
    covers=("display-7", "display-11"),
    steps=(kernel("paper-case-1"),),
    also=(inequality("1 - (1 - exp(-e))^g >= g*exp(-e)", says="e^-eps' by balls", e="(0, inf)", g="(0, 1]"),),
    constants=(Constant("1", twin="with 0.98 ln(1/gamma)", by="0.98"),),
    twins=(
        inequality(f"{EPS_PRIME} <= e + 0.98*log(1/g)", says="with 0.98 ln(1/gamma)", e="(0, 10]", g="(0, 1]"),
        inequality(f"{EPS_PRIME} <= e + log(1/g)", says="for gamma up to 1.01", e="(0, 10]", g="(0, 1.01]"),
        inequality(f"{EPS_PRIME} < e + log(1/g)", says="strictly", e="(0, 10]", g="(0, 1]"),
    ),
)
