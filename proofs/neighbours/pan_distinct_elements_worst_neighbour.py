"""The transformation Q_P of P_DE: (I_t, output)."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel, smt

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
        "Q_P is (eps, delta)-pan-private if and only if the pairs of P_DE (made for n users) with n/3 + 1 honest users are (eps, delta)-close where the n/3 others hold one element, which is a, or b, or, for k >= 3, neither: the state after the first element."
    ),
    hypotheses=(
        "n is a multiple of 3, n >= 3",
        "k >= 2",
        "eps0 > 0",
        "m >= 1",
        "eps, delta >= 0",
    ),
    steps=(kernel("pan-distinct-elements-worst-neighbour"),),
    also=(
        kernel("distinct-transformation-privacy"),
        *EXECUTIONS,
    ),
    twins=TWINS,
)
