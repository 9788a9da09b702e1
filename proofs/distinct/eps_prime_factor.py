"""The factor 2 in 2 eps^gamma/gamma is removable."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import inequality

EPS_PRIME = "log(1/(1 - (1 - exp(-e))^g))"

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I, Case 2",
    kind="sharper",
    printed="For eps <= ln 2 (even for eps <= 1): eps' <= eps^gamma/gamma, an equality at gamma = 1; the printed bound has twice that.",
    hypotheses=("0 < eps <= 1", "gamma in (0,1]"),
    steps=(inequality(f"{EPS_PRIME} <= e^g/g", e="(0, 1]", g="(0, 1]", seconds=60),),
    twins=(
        inequality(f"{EPS_PRIME} <= 0.99*e^g/g", says="with the constant 0.99", e="(0, 1]", g="(0, 1]"),
        inequality(f"{EPS_PRIME} <= e^g/g", says="for eps up to 4", e="(0, 4]", g="(0, 1]"),
    ),
)
