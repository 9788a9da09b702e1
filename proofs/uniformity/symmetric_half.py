"""Section 4.1.1: P[B >= 0] >= 1/2."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    where="section 4.1.1, Case 2, after Claim symmetric-mean-zero",
    kind="step",
    printed="A symmetric variable is at least 0 with probability at least 1/2: P[B >= 0] >= 1/2, given the counts.",
    steps=(kernel("symmetric-half-countable"),),
    constants=(Constant("1/2", twin="with 0.51", by="0.51"),),
    twins=(
        smt(
            "up >= 1/2",
            ("up + zero + down = 1", "up = down"),
            says="P[B > 0] >= 1/2",
            up="[0, 1]",
            zero="[0, 1]",
            down="[0, 1]",
        ),
        smt(
            "up + zero >= 0.51",
            ("up + zero + down = 1", "up = down"),
            says="with 0.51",
            up="[0, 1]",
            zero="[0, 1]",
            down="[0, 1]",
        ),
    ),
)
