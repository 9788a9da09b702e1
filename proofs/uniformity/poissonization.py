"""Section 4: Poissonization costs a constant."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 4, the paragraph on Poissonization",
    kind="prose",
    printed="Pois(m) concentrates around m, so O(m) samples are guaranteed at the cost of a constant decrease in success probability.",
    hypotheses=("m >= 12",),
    rests_on=("poisson-concentration",),
    steps=(
        identity("m^2/(2*(m + m)) = m/4", says="P[Pois(m) >= 2m] <= 2 e^(-m/4)", m="(0, inf)"),
        inequality("2*exp(-m/4) <= 1/10", says="at most 1/10 for m >= 12", m="[12, inf)"),
    ),
    twins=(
        inequality("2*exp(-m/4) <= 1/10", says="for m >= 11", m="[11, inf)"),
        identity("m^2/(2*(m + m)) = m/3", says="with m/3", m="(0, inf)"),
    ),
)
