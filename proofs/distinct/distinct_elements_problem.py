"""Definition: the distinct elements problem."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 3, Definition (Distinct Elements Problem)",
    kind="definition",
    printed="M solves the (alpha, beta)-distinct elements problem on length n if P[|M(x) - D(x)| <= alpha] >= 1 - beta for all x.",
    covers=("definition-7",),
    implementation="panshuffle.protocols.distinct_elements.DistinctElements",
)
