"""Figure 1, robust shuffle, uniformity testing, upper bound."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import inequality

STATEMENT = Statement(
    where="Figure 1, robust shuffle, uniformity testing, upper bound",
    kind="figure",
    printed="O([k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + sqrt(k)/(alpha eps)] sqrt(log(k/delta))) samples.",
    hypotheses=("eps = O(1), delta < 1/n <= 1/2", "there is a protocol: the repaired one"),
    rests_on=("compressed-tester",),
    steps=(
        inequality(
            "log(k/d) >= log(2)",
            ("k >= 1",),
            says="the logarithm is bounded away from 0 for delta < 1/2",
            k="[1, inf)",
            d="(0, 1/2]",
        ),
    ),
    twins=(
        inequality("log(k/d) >= log(2)", says="for delta up to 0.6", k="[1, inf)", d="(0, 0.6]"),
        inequality("log(k/d) >= 0.7", says="with 0.7", k="[1, inf)", d="(0, 1/2]"),
    ),
)
