"""Figure 1, robust shuffle, distinct elements, upper bound, and section 1.1."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import inequality

STATEMENT = Statement(
    where="Figure 1, robust shuffle, distinct elements, upper bound",
    kind="figure",
    printed="The error is O(sqrt(k)/eps) with constant probability, for eps = O(1).",
    hypotheses=("eps <= c for a constant c (here 4), constant beta",),
    covers=("fig:results",),
    rests_on=("distinct-accuracy", "distinct-elements-privacy"),
    steps=(
        inequality(
            "exp(e)/(exp(e) - 1)*sqrt(2*log(2/(1/3))) <= 8/e",
            says="with beta = 1/3 and eps <= 4: alpha <= 8 sqrt(k)/eps",
            e="(0, 4]",
        ),
    ),
    twins=(
        inequality("exp(e)/(exp(e) - 1)*sqrt(2*log(2/(1/3))) <= 7/e", says="with 7", e="(0, 4]"),
        inequality("exp(e)/(exp(e) - 1)*sqrt(2*log(2/(1/3))) <= 8/e", says="for every eps", e="(0, inf)"),
    ),
)
