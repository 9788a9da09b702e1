"""The factor 2 in 2 eps^gamma/gamma is removable."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

EPS_PRIME = "log(1/(1 - (1 - exp(-e))^g))"

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I, Case 2",
    kind="sharper",
    printed="For eps <= 1.45, so for eps <= ln 2: eps' <= eps^gamma/gamma, an equality at gamma = 1; the printed bound is twice that.",
    hypotheses=("0 < eps <= 1.45", "gamma in (0,1]"),
    steps=(
        kernel("eps-prime-factor"),
        kernel("eps-prime-one"),
        kernel("paper-case-2-sharper"),
    ),
    constants=(
        Constant("1", twin="with the constant 0.99", by="0.99"),
        Constant("1.45", slack="not tight: it holds up to 1.523 and not up to 1.55, as the twins say"),
    ),
    twins=(
        inequality(f"{EPS_PRIME} <= 0.99*e^g/g", says="with the constant 0.99", e="(0, 1.5]", g="(0, 1]"),
        inequality(f"{EPS_PRIME} <= e^g/g", says="for eps up to 1.55", e="(0, 1.55]", g="(0, 1]"),
        inequality(
            "(exp(e) - 1)*log(1 - exp(-e)) + e >= e*log(e)", says="the worst z, for eps up to 1.524", e="(0, 1.524]"
        ),
    ),
)
