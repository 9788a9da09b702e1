"""Section 4: Poissonization costs a constant."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, moment

STATEMENT = Statement(
    where="section 4, the paragraph on Poissonization",
    kind="prose",
    printed="Pois(m) concentrates around m, so O(m) samples are guaranteed at the cost of a constant decrease in success probability.",
    rests_on=("markov",),
    steps=(
        moment("value = m", {"X": "Pois(m)"}, mean_of="X", says="E[X] = m", m="(0, inf)"),
        identity("m/(10*m) = 1/10", says="Markov: P[X >= 10m] <= 1/10, for every m", m="(0, inf)"),
    ),
    twins=(
        identity("m/(9*m) = 1/10", says="with 9m", m="(0, inf)"),
        moment("value = 1.1*m", {"X": "Pois(m)"}, mean_of="X", says="with mean 1.1m", m="(0, inf)"),
    ),
)
