"""The transformation Q_P of P_UT: (I_t, output)."""

from __future__ import annotations

from proofs.neighbours.pan_distinct_elements_worst_neighbour import EXECUTIONS, TWINS
from proofs.statement import Statement
from proofs.steps import kernel

STATEMENT = Statement(
    where="the view of Q_P for uniformity testing (section 4.2)",
    kind="worst neighbour",
    printed=(
        "(I_t, output) is a post-processing of the two independent batches before and after t; the changed element is in one of them, "
        "if it is used at all, so delta is at most that of P_UT with gamma = 1/3 + 1/n. This is an upper bound."
    ),
    hypotheses=("n is a multiple of 3, n >= 3", "the number n' of elements that are used is part of the state"),
    rests_on=("uniformity-worst-neighbour", "post-processing", "common-factor"),
    steps=(kernel("uniformity-transformation-privacy"), *EXECUTIONS),
    argument=(
        "n' is drawn before the stream and independently of it. Given n', an element after place n' is replaced by a uniform one, and changing it changes nothing. Otherwise (I_t, output) is a function of n', of the two batches before and after t, whose messages are "
        "drawn independently, and of fresh coins. The batch without the change is a common factor; the other has at least n/3 + 1 executions of R_UT by the two steps, and the messages of all but n/3 + 1 of them, the changed one included, are added independently of the change: "
        "a post-processing. So delta is at most that of n/3 + 1 of n honest users for every n', hence for their mixture. (The kernel's theorem is this for finite laws, with the robust guarantee in place of the exact delta.)"
    ),
    twins=TWINS,
)
