"""The transformation Q_P of P_DE: (I_t, output)."""

from __future__ import annotations

from proofs.statement import Statement, Step
from proofs.steps import kernel, smt

RANGES = {"r": "integer [1, inf)", "t": "integer [0, inf)", "place": "integer [1, inf)"}


def early(says: str, least: str) -> Step:
    """With n = 3r, the batch up to t, which holds the changed element if its place is at most t, has so many executions."""
    return smt(f"r + t >= {least}", ("place <= t", "t <= r"), says=says, **RANGES)


def late(says: str, least: str) -> Step:
    """The batch after t, which holds the changed element if its place is above t, has so many executions."""
    return smt(f"(r - t) + r >= {least}", ("place >= t + 1", "place <= r", "t <= r"), says=says, **RANGES)


EXECUTIONS = (
    early("n = 3r, the change is at a place up to t: n/3 dummies and t elements, at least n/3 + 1 executions", "r + 1"),
    late("the change is after t: n/3 - t elements and n/3 dummies, at least n/3 + 1 executions", "r + 1"),
)
TWINS = (
    early("the batch up to t has at least n/3 + 2 executions", "r + 2"),
    late("the batch after t has at least n/3 + 2 executions", "r + 2"),
    early("the batch up to t has at least 2n/3 executions", "2*r"),
)

STATEMENT = Statement(
    where="the view of Q_P for distinct elements (section 3.2)",
    kind="worst neighbour",
    printed=(
        "(I_t, output) is a post-processing of the two independent batches before and after t; the changed element is in one of them, "
        "with n/3 dummies, so delta is at most that of P_DE with n/3 + 1 users. This is an upper bound."
    ),
    hypotheses=("n is a multiple of 3, n >= 3",),
    rests_on=("distinct-elements-worst-neighbour", "post-processing", "common-factor"),
    steps=(kernel("distinct-transformation-privacy"), *EXECUTIONS),
    argument=(
        "I_t is the shuffled batch up to t, and the output is computed from it and the batch after t, whose messages are drawn independently: (I_t, output) is a function of the two batches and fresh coins, so its delta is at most that of the pair of batches. "
        "The changed element is in one batch; the other is a common factor. That batch has M >= n/3 + 1 executions of R_DE by the two steps. Take n/3 + 1 of them with the changed one: the messages of the others are independent of the change, and adding them and shuffling "
        "is a post-processing. So delta is at most that of n/3 + 1 honest users of P_DE, whatever the others hold. (The kernel's theorem is this with the robust guarantee in place of the exact delta.)"
    ),
    twins=TWINS,
)
