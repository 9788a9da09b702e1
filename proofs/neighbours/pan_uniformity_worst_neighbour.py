"""The transformation Q_P of P_UT: (I_t, output)."""

from __future__ import annotations

from panshuffle.proofs.neighbours.pan_distinct_elements_worst_neighbour import EXECUTIONS, TWINS
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    where="the view of Q_P for uniformity testing (section 4.2)",
    kind="worst neighbour",
    printed=(
        "If the pair of P_UT with gamma = 1/3 + 1/n is (eps, delta)-close, then Q_P is (eps, delta)-pan-private. This is an upper bound."
    ),
    hypotheses=(
        "n is a multiple of 3, n >= 3",
        "k >= 2",
        "lambda >= 0",
        "eps, delta >= 0",
        "the number n' of elements that are used is part of the state",
    ),
    steps=(kernel("pan-uniformity-at-most"),),
    also=(
        kernel("uniformity-transformation-privacy"),
        *EXECUTIONS,
    ),
    twins=TWINS,
)
