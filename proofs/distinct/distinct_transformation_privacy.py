"""Lemma de-transformation: pan-privacy from robust shuffle privacy."""

from __future__ import annotations

from proofs.neighbours.pan_distinct_elements_worst_neighbour import TWINS
from proofs.statement import Statement
from proofs.steps import kernel, smt

STATEMENT = Statement(
    label="lem:de-transformation",
    where="section 3.2, Lemma de-transformation, privacy",
    kind="lemma",
    printed="If P is (eps, delta, 1/3)-robustly shuffle private, Q_P is (eps, delta)-pan-private on streams of length n/3.",
    hypotheses=("n is a multiple of 3, as the paper says",),
    covers=("lem:de-transformation", "display-16"),
    rests_on=("post-processing", "common-factor"),
    steps=(
        kernel("distinct-transformation-privacy"),
        smt("n/3 + t >= n/3", says="before t: n/3 dummies and t elements", n="[3, inf)", t="[0, inf)"),
        smt(
            "(n/3 - t) + n/3 >= n/3",
            ("t <= n/3",),
            says="after t: n/3 - t elements and n/3 dummies",
            n="[3, inf)",
            t="[0, inf)",
        ),
    ),
    argument=(
        "The kernel's theorem is for finite laws. For any others: (I_t, output) is a random function of the two batches I_t and I_>t, the shuffled messages of the executions before and after t, because shuffling in "
        "steps and at once have the same law; post-processing. The batches are independent, and the changed element is in one of them; the other has the same law for both streams, so by common-factor the divergence "
        "is that of the batch with the changed element. It is S o R^(gamma' n) with gamma' n >= n/3 by the second and the third step, so (eps, delta)-private."
    ),
    twins=TWINS,
)
