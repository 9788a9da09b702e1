"""Figure 1, pan and robust shuffle, histograms."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import inequality

STATEMENT = Statement(
    where="Figure 1, pan and robust shuffle, histograms",
    kind="figure",
    printed="The l-infinity error is O((1/eps^2) log(1/delta)) for eps = O(1) and delta < 1/n.",
    hypotheses=(
        "eps <= 4, a constant, and n >= 2, so that delta < 1/2",
        "the robust shuffle histogram's accuracy is Balcer and Cheu's",
    ),
    rests_on=("pan-histogram", "robust-binary-sum"),
    steps=(
        inequality("(exp(e) + 1)/(exp(e) - 1) <= 4.2/e", says="c <= 4.2/eps for eps <= 4", e="(0, 4]"),
        inequality("log(2/d) <= 2*log(1/d)", says="ln(2/delta) <= 2 ln(1/delta)", d="(0, 1/2]"),
        inequality(
            "2*(20*4.2^2*2*x + 1*16) <= 1460*x",
            says="2 lambda <= (1460/eps^2) ln(1/delta), rounding included, x = ln(1/delta), eps <= 4",
            x="[log(2), inf)",
        ),
    ),
    twins=(
        inequality("(exp(e) + 1)/(exp(e) - 1) <= 4.1/e", says="with 4.1", e="(0, 4]"),
        inequality("log(2/d) <= 2*log(1/d)", says="for delta up to 0.6", d="(0, 0.6]"),
    ),
)
