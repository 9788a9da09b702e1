"""The transformation Q_P of P_UT: (I_t, output)."""

from __future__ import annotations

from proofs.neighbours.pan_distinct_elements_worst_neighbour import least_batch
from proofs.statement import Statement
from proofs.steps import kernel

STATEMENT = Statement(
    where="the view of Q_P for uniformity testing (section 4.2)",
    kind="worst neighbour",
    printed=(
        "(I_t, output) is a post-processing of the two independent batches before and after t; the changed element is in one of them, "
        "if it is used at all, so delta is at most that of P_UT with gamma = 1/3 + 1/n. This is an upper bound."
    ),
    hypotheses=("finite laws in the kernel; countable ones by countable-laws",),
    rests_on=("uniformity-worst-neighbour", "post-processing", "countable-laws"),
    steps=(kernel("uniformity-transformation-privacy"), least_batch("the batch has at least n/3 + 1 executions", 1)),
    twins=(
        least_batch("the batch has at least n/3 + 2 executions", 2),
        least_batch("the batch has at least 2n/3 executions (n >= 9)", 3),
    ),
)
