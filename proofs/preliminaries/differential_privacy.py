"""Definition: differential privacy."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 2.1, Definition (Differential Privacy)",
    kind="definition",
    printed=(
        "M is (eps, delta)-differentially private if P[M(x) in T] <= e^eps P[M(x') in T] + delta for all neighbouring "
        "datasets x, x' and all sets T of outputs."
    ),
    covers=("definition-1", "display-1"),
    implementation="panshuffle.exact.pairs.divergence.hockey_stick",
)
