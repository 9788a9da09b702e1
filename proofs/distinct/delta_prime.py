"""Section 3.1: the bound on delta'."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper, the bound on delta'",
    kind="display",
    printed="delta' = delta (e^eps'+1)/(e^eps+1) <= delta (e^eps/gamma+1)/(e^eps+1) <= delta/gamma.",
    hypotheses=("eps > 0", "gamma in (0,1]", "delta in (0,1)"),
    covers=("display-14",),
    steps=(kernel("paper-delta-prime-bound"),),
    constants=(Constant("1", twin="with 0.98 delta/gamma", by="0.98"),),
    twins=(
        inequality("(exp(e)/g + 1)/(exp(e) + 1) <= 0.98/g", says="with 0.98 delta/gamma", e="(0, 8]", g="(0, 1]"),
        inequality("(exp(e)/g + 1)/(exp(e) + 1) <= 1/g", says="for gamma up to 1.02", e="(0, 8]", g="(0, 1.02]"),
    ),
)
