"""Section 3.1, Case 2: the displays, line by line."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

EPS_PRIME = "log(1/(1 - (1 - exp(-e))^g))"
RANGE = {"e": "(0, log(2)]", "g": "(0, 1]"}

STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper, Case 2",
    kind="display",
    printed="For eps <= ln 2: eps' = ln(1 + (e^eps-1)^gamma/(e^(eps gamma) - (e^eps-1)^gamma)) <= (e^eps-1)^gamma/(e^(eps gamma) - "
    "(e^eps-1)^gamma) <= 2^gamma/(2^gamma-1) ((e^eps-1)/e^eps)^gamma <= 2^gamma/(2^gamma-1) eps^gamma, so eps' <= 2 eps^gamma/gamma.",
    hypotheses=("0 < eps <= ln 2", "gamma in (0,1]"),
    covers=("display-12", "display-13"),
    steps=(kernel("case-2-lines"),),
    constants=(Constant("2", slack="not tight: 1 suffices"),),
    twins=(
        inequality(f"{EPS_PRIME} <= 0.99*e^g/g", says="with the constant 0.99", **RANGE),
        inequality("exp(e) - 1 <= exp(e)/2", says="for eps up to 0.7", e="(0, 0.7]"),
        inequality(f"{EPS_PRIME} <= 2*e^g/g", says="for every eps", e="(0, inf)", g="(0, 1]"),
    ),
)
