"""Section 3.2: the central baseline with geometric noise."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 3.2, the last paragraph, and section 1.1",
    kind="prose",
    printed="Adding (symmetric) geometric noise to the number of distinct elements is eps-private and has error O(1/eps) for any eps and n.",
    hypotheses=("eps > 0", "P[noise = v] = (1-s)/(1+s) s^|v|, s = e^-eps"),
    rests_on=("geometric-worst-neighbour",),
    steps=(
        identity(
            "(1 - s)/(1 + s)*s^v/((1 - s)/(1 + s)*s^(v + 1)) = 1/s",
            says="neighbouring masses have the ratio e^eps",
            s="(0, 1)",
            v="[0, inf)",
        ),
        identity(
            "2*(1 - s)/(1 + s)*(s/(1 - s)^2) = 2*s/(1 - s^2)",
            says="E|noise| = 2 (1-s)/(1+s) sum of v s^v = 2s/(1-s^2)",
            s="(0, 1)",
        ),
        inequality("2*exp(-e)/(1 - exp(-2*e)) <= 1/e", says="which is at most 1/eps", e="(0, inf)"),
    ),
    twins=(
        inequality("2*exp(-e)/(1 - exp(-2*e)) <= 0.99/e", says="at most 0.99/eps", e="(0, inf)"),
        identity(
            "(1 - s)/(1 + s)*s^v/((1 - s)/(1 + s)*s^(v + 2)) = 1/s",
            says="with a shift by 2",
            s="(0, 1)",
            v="[0, inf)",
        ),
    ),
)
