"""Section 3.1: the law of the sum without a holder, and the ratios."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, smt

STATEMENT = Statement(
    where="section 3.1, the display after Lemma distinct-ber, and the two ratios below it",
    kind="display",
    printed="Ber((1 - (1-e^-eps)^gamma)/2) = Ber(1/(2e^eps')); the ratios to Ber(1/2) are e^eps' and 1/(2 - e^-eps').",
    hypotheses=("eps > 0, gamma in (0,1]", "x = 1 - (1-e^-eps)^gamma is in (0,1), D = e^eps' = 1/x"),
    covers=("display-10",),
    rests_on=("distinct-ber", "ratio-inequality"),
    steps=(
        identity("x/2 = 1/(2*exp(log(1/x)))", says="x/2 = 1/(2e^eps') with eps' = ln(1/x)", x="(0, 1)"),
        identity("(1/2)/(1/(2*D)) = D", says="outcome 1", D="(1, inf)"),
        identity("(1/2)/(1 - 1/(2*D)) = 1/(2 - 1/D)", says="outcome 0", D="(1, inf)"),
        smt("1/D <= 1/(2 - 1/D) <= D", says="outcome 0 is within the bounds", D="(1, inf)"),
    ),
    argument=(
        "By distinct-ber with p = 1/(2e^eps) the sum without a holder is Ber(x/2), x = 1 - (1-e^-eps)^gamma, and x/2 = 1/(2e^eps') is the first step; the next two are the ratios, the last that they are within the bounds, as ratio-inequality says."
    ),
    twins=(
        identity("(1/2)/(1 - 1/(2*D)) = 1/(2 - 2/D)", says="outcome 0 with 2/D", D="(1, inf)"),
        smt("1.01/D <= 1/(2 - 1/D)", says="with 1.01 e^-eps' as lower bound", D="(1, inf)"),
    ),
)
