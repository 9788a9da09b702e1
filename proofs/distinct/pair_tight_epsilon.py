"""The exact loss of the pair of pools with an ideal modular sum."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import inequality, kernel

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed="With an ideal modular sum the pair of pools is exactly ln(2e^eps' - 1)-differentially private, which is less than 2 eps'.",
    hypotheses=("eps' > 0",),
    steps=(kernel("pair-tight-privacy"), kernel("pair-tight-least"), kernel("pair-tight-below-composition")),
    twins=(
        inequality("log(2*exp(e) - 1) < 1.9*e", says="less than 1.9 eps'", e="(0, inf)"),
        inequality("log(2*exp(e) - 1) <= e + log(2) - 1/100", says="at most eps' + ln 2 - 0.01", e="(0, inf)"),
    ),
)
