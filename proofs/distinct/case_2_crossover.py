"""Theorem de_upper, Part I: where its second bound is better than its first."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import inequality

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed="2 eps^gamma/gamma, printed for eps <= ln 2, is below eps + ln(1/gamma) for no gamma in (0,1] if 0.0687 <= eps <= ln 2; at eps = 0.0685 and gamma = 0.77 it is. So the second bound matters for eps below 0.0687 only.",
    steps=(
        inequality(
            "2*e^g/g >= e - log(g)",
            says="from eps = 0.0687 on the first bound is at least as good",
            e="[0.0687, log(2)]",
            g="(0, 1]",
        ),
        inequality(
            "2*0.0685^0.77/0.77 < 0.0685 - log(0.77)", says="at eps = 0.0685, gamma = 0.77 the second is better"
        ),
    ),
    twins=(
        inequality("2*e^g/g >= e - log(g)", says="from eps = 0.066 on", e="[0.066, log(2)]", g="(0, 1]"),
        inequality("2*0.07^0.77/0.77 < 0.07 - log(0.77)", says="at eps = 0.07, gamma = 0.77"),
    ),
    constants=(Constant("0.0687", twin="from eps = 0.066 on", by="0.066"),),
)
