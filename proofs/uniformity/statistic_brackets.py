"""Algorithm A_UT: the sum in Z' has no brackets."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import computed
from panshuffle.symbolic.decision import Decision
from panshuffle.symbolic.scope import check_scope, line


def check(bracketed: bool, k: bool = True) -> Decision:
    """j is bound by the sum alone: outside of it, c_j(y) has no j."""
    inside = "sum over j in [k] of [(c_j - m/k)^2 - c_j]"
    body = (
        [line(inside, uses="k m c", defines="Z'")]
        if bracketed
        else [
            line("sum over j in [k] of (c_j - m/k)^2", uses="k m c", defines="sum"),
            line("Z' <- k/m sum - c_j(y)", uses="k m sum c j", defines="Z'"),
        ]
    )
    return check_scope(("k", "m", "c") if k else ("m", "c"), body)


STATEMENT = Statement(
    label="alg:ut-a",
    where="section 4.1.1, Algorithm A_UT, the line with Z'",
    kind="step",
    printed="Z' <- (k/m) sum over j of (c_j(y) - m/k)^2 - c_j(y), the sum ending where the square does.",
    severity="convention",
    steps=(
        computed("every name is bound, with the sum over the squares alone", lambda: check(bracketed=False), "scope"),
    ),
    why="Without brackets the sum ends with the square, and the last c_j(y) has a free j; the proof writes the brackets.",
    repair=Repair(
        "Z' <- (k/m) sum over j of [(c_j(y) - m/k)^2 - c_j(y)].",
        (computed("with brackets every name is bound", lambda: check(bracketed=True), "scope"),),
    ),
    survives="A misprint: the proof has the brackets.",
    twins=(
        computed("with brackets, but without k", lambda: check(bracketed=True, k=False), "scope"),
        computed("without brackets and without k", lambda: check(bracketed=False, k=False), "scope"),
    ),
)
