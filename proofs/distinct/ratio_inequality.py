"""Equation zs_ineq: the ratios of the ideal sums."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel, smt

STATEMENT = Statement(
    label="eq:zs_ineq",
    where="section 3.1, Equation zs_ineq and the ratios after it",
    kind="display",
    printed="The ratios of the masses of Ber(1/2) and Ber(1/(2e^eps')), e^eps' at 1 and 1/(2 - e^-eps') at 0, are between e^-eps' and e^eps': "
    "2 - e^-eps' < e^eps'.",
    hypotheses=("eps' > 0",),
    covers=("eq:zs_ineq",),
    steps=(
        kernel("paper-eq-zs-ineq"),
        kernel("ratio-inequality"),
    ),
    also=(smt("2 - 1/D < D", says="with D = e^eps'", D="(1, inf)"),),
    constants=(Constant("1", twin="with 0.99 e^eps'", by="0.99"),),
    twins=(
        inequality("2 - exp(-x) < 0.99*exp(x)", says="with 0.99 e^eps'", x="(0, inf)"),
        smt("1.01/D <= 1/(2 - 1/D)", says="with 1.01 e^-eps' as lower bound", D="(1, inf)"),
    ),
)
