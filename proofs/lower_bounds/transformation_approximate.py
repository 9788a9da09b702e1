"""Section 4.2: the transformation serves approximate lower bounds, too."""

from __future__ import annotations

from panshuffle.proofs.neighbours.pan_distinct_elements_worst_neighbour import TWINS
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    where="section 4.2, the last paragraph",
    kind="prose",
    printed="Lemma ut-transformation would also apply to an approximate pan-private lower bound: with a lower bound for (eps, delta)-pan-private testers it gives one for (eps, delta, 1/3)-robustly shuffle private ones.",
    steps=(kernel("paper-lemma-ut-transformation"),),
    twins=TWINS,
)
