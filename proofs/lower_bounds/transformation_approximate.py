"""Section 4.2: the transformation serves approximate lower bounds, too."""

from __future__ import annotations

from proofs.neighbours.pan_distinct_elements_worst_neighbour import TWINS
from proofs.statement import Statement
from proofs.steps import kernel

STATEMENT = Statement(
    where="section 4.2, the last paragraph",
    kind="prose",
    printed="Lemma ut-transformation would also apply to an approximate pan-private lower bound: with a lower bound for (eps, delta)-pan-private testers it gives one for (eps, delta, 1/3)-robustly shuffle private ones.",
    rests_on=("uniformity-transformation-privacy", "uniformity-transformation-accuracy", "amplification"),
    steps=(kernel("uniformity-transformation-privacy"),),
    argument=(
        "The lemma is for any delta: Q_P is (eps, delta)-pan-private, the kernel's theorem, on n/3 samples, with errors of at most 1/3 and 1/2. A constant number of runs on disjoint parts of a stream is as pan-private, because a changed element enters one run only, and is a tester. So a lower bound on the samples of (eps, delta)-pan-private 9 alpha/2-uniformity testers is one for n, up to a constant factor."
    ),
    twins=TWINS,
)
