"""The exact loss of P_DE with an ideal modular sum."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, inequality, kernel

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed="With an ideal modular sum (each pool shows its sum mod 2 only) the loss of P_DE for N honest users, delta = 0, is exactly ln(2e^eps' - 1) if k >= 3, or k = 2 and N = 1; it is exactly eps' if k = 2 and N >= 2. Both are less than 2 eps'.",
    hypotheses=("eps' > 0", "N >= 1 honest users"),
    steps=(
        kernel("ideal-private"),
        kernel("ideal-least"),
        kernel("ideal-private-two"),
        kernel("ideal-least-two"),
        kernel("pair-tight-below-composition"),
        kernel("paper-tight-pair"),
    ),
    also=(kernel("pair-tight-attained"),),
    twins=(
        inequality("log(2*exp(e) - 1) < 1.95*e", says="less than 1.95 eps'", e="(0, inf)"),
        inequality("log(2*exp(e) - 1) <= e + log(2) - 1/100", says="at most eps' + ln 2 - 0.01", e="(0, inf)"),
        identity(
            "(1 - 1/(2*D))*(1/2)/(1/(2*D)*(1/2)) = D",
            says="eps' for k >= 3, too: the ratio at (1, 0) is e^eps'",
            D="(1, inf)",
        ),
    ),
    constants=(Constant("2", twin="less than 1.95 eps'", by="1.95"),),
)
