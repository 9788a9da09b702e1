"""Equation zs_ineq: the ratios of the ideal sums."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality, kernel, smt

STATEMENT = Statement(
    label="eq:zs_ineq",
    where="section 3.1, Equation zs_ineq and the ratios after it",
    kind="display",
    printed=(
        "The sum mod 2 of the honest bits is Ber(1/2) with a holder and Ber(1/(2e^eps')) without; the ratios of their masses are e^eps' "
        "and 1/(2 - e^-eps'), both between e^-eps' and e^eps'."
    ),
    hypotheses=("eps' > 0",),
    covers=("eq:zs_ineq", "display-10"),
    rests_on=("distinct-ber",),
    steps=(
        kernel("ratio-inequality"),
        identity(
            "(1 - (1 - exp(-e))^g)/2 = 1/(2*exp(log(1/(1 - (1 - exp(-e))^g))))",
            says="(1 - (1-e^-eps)^gamma)/2 = 1/(2e^eps')",
            e="(0, inf)",
            g="(0, 1]",
        ),
        identity("(1/2)/(1/(2*D)) = D", says="outcome 1, D = e^eps'", D="(1, inf)"),
        identity("(1/2)/(1 - 1/(2*D)) = 1/(2 - 1/D)", says="outcome 0", D="(1, inf)"),
        smt("1/D <= 1/(2 - 1/D) <= D", says="outcome 0 is within the bounds", D="(1, inf)"),
    ),
    twins=(
        inequality("2 - exp(-x) < 0.99*exp(x)", says="with 0.99 e^eps'", x="(0, inf)"),
        smt("1.01/D <= 1/(2 - 1/D)", says="with 1.01 e^-eps' as lower bound", D="(1, inf)"),
    ),
)
