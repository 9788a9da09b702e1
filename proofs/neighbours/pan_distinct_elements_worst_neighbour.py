"""The transformation Q_P of P_DE: (I_t, output)."""

from __future__ import annotations

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, kernel


def least_batch(says: str, least: int) -> Step:
    """With n = 3r the batch of messages that holds the changed element has at least r + `least` executions."""
    cases = [(r, t, place) for r in range(1, 8) for t in range(r + 1) for place in range(1, r + 1)]

    def executions(case: tuple[int, int, int]) -> int:
        r, t, place = case
        return r + t if place <= t else (r - t) + r

    return exhaustive(
        says + ", for n = 3r, r <= 7, every t and every place",
        lambda case: executions(case) >= case[0] + least,
        cases,
        lambda case: f"n = {3 * case[0]}, t = {case[1]}, changed element {case[2]}: {executions(case)} executions",
    )


STATEMENT = Statement(
    where="the view of Q_P for distinct elements (section 3.2)",
    kind="worst neighbour",
    printed=(
        "(I_t, output) is a post-processing of the two independent batches before and after t; the changed element is in one of them, "
        "with n/3 dummies, so delta is at most that of P_DE with n/3 + 1 users. This is an upper bound."
    ),
    hypotheses=("finite laws in the kernel; countable ones by countable-laws",),
    rests_on=("distinct-elements-worst-neighbour", "post-processing"),
    steps=(kernel("distinct-transformation-privacy"), least_batch("the batch has at least n/3 + 1 executions", 1)),
    twins=(
        least_batch("the batch has at least n/3 + 2 executions", 2),
        least_batch("the batch has at least n/3 + 3 executions", 3),
    ),
)
