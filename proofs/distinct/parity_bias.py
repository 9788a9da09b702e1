"""Section 3.1: the law of the sum without a holder, and the ratios."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import identity, kernel, smt

STATEMENT = Statement(
    where="section 3.1, the display after Lemma distinct-ber, and the two ratios below it",
    kind="display",
    printed="Ber((1 - (1-e^-eps)^gamma)/2) = Ber(1/(2e^eps')); the ratios to Ber(1/2) are e^eps' and 1/(2 - e^-eps').",
    hypotheses=("eps > 0, gamma in (0,1]", "x = 1 - (1-e^-eps)^gamma is in (0,1), D = e^eps' = 1/x"),
    covers=("display-10",),
    steps=(kernel("parity-bias"),),
    twins=(
        identity("(1/2)/(1 - 1/(2*D)) = 1/(2 - 2/D)", says="outcome 0 with 2/D", D="(1, inf)"),
        smt("1.01/D <= 1/(2 - 1/D)", says="with 1.01 e^-eps' as lower bound", D="(1, inf)"),
    ),
)
