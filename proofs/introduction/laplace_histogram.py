"""Section 5: the naive histogram with Laplace noise depends on k."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 5, before Theorem hist-pan",
    kind="prose",
    printed="Adding Laplace noise to each bin incurs a logarithmic dependence on the domain size.",
    hypotheses=("k independent Lap(b) variables, b = 2/eps",),
    steps=(
        identity("exp(-(b*log(k))/b) = 1/k", says="P[|Lap(b)| > b ln k] = 1/k", b="(0, inf)", k="[2, inf)"),
        inequality(
            "log(1 - x) <= -x",
            says="so all k are within b ln k with probability (1 - 1/k)^k <= 1/e, x = 1/k",
            x="(0, 1/2]",
        ),
    ),
    twins=(
        inequality("log(1 - x) <= -1.02*x", says="at most e^-1.02", x="(0, 1/2]"),
        identity("exp(-(b*log(k))/b) = 1/k^2", says="with 1/k^2", b="(0, inf)", k="[2, inf)"),
    ),
)
