"""Section 3.1, Case 2: eps' <= 2 eps^gamma/gamma for eps <= ln 2."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

EPS_PRIME = "log(1/(1 - (1 - exp(-e))^g))"
RANGE = {"e": "(0, log(2)]", "g": "(0, 1]"}

STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper, Case 2",
    kind="step",
    printed="For eps <= ln 2: eps' = ln(1/(1 - (1-e^-eps)^gamma)) <= 2 eps^gamma/gamma.",
    hypotheses=("0 < eps <= ln 2", "gamma in (0,1]"),
    steps=(kernel("paper-case-2"),),
    constants=(Constant("2", slack="not tight: 1 suffices, and 0.99 does not, as the first twin says"),),
    twins=(
        inequality(f"{EPS_PRIME} <= 0.99*e^g/g", says="with the constant 0.99", **RANGE),
        inequality("exp(e) - 1 <= exp(e)/2", says="for eps up to 0.7", e="(0, 0.7]"),
        inequality(f"{EPS_PRIME} <= 2*e^g/g", says="for every eps", e="(0, inf)", g="(0, 1]"),
    ),
)
