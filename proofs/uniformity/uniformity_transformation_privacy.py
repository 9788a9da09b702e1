"""Lemma ut-transformation: pan-privacy from robust shuffle privacy."""

from __future__ import annotations

from proofs.neighbours.pan_distinct_elements_worst_neighbour import TWINS
from proofs.statement import Statement
from proofs.steps import kernel

STATEMENT = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, Lemma ut-transformation, privacy",
    kind="lemma",
    printed="If P is (eps, delta, 1/3)-robustly shuffle private, Q_P is (eps, delta)-pan-private on streams of length n/3.",
    reading="n is a multiple of 3, n >= 3, and the state also holds how many of the coming elements are still used, which the algorithm needs.",
    covers=("lemma:ut-transformation",),
    rests_on=("post-processing", "common-factor", "uniformity-transformation-state:repaired"),
    steps=(kernel("uniformity-transformation-privacy"),),
    argument=(
        "The kernel's theorem is for protocols with finite laws. For any others: n' is drawn before the stream and independently of it; fix it. An element after place n' is replaced by a uniform one, and changing it changes nothing. Otherwise (I_t, output) is a random function of the two batches of shuffled messages, of the executions of R before and after t, which are independent; post-processing. The changed element is in one of them, "
        "and the other, which has the same law for both streams, is a common factor. The batch with the change is S o R^(gamma' n) with gamma' n >= n/3 executions, its other inputs, uniform dummies among them, being independent of the change: for each value of these it is (eps, delta)-private, hence for their mixture, and so is the mixture over n', which is part of the state and has the same law for both streams."
    ),
    twins=TWINS,
)
