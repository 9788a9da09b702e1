"""Theorem ut-app-upper-bound: the separation that its proof ends with."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, proof of Theorem ut-app-upper-bound, Correctness",
    kind="step",
    printed="If the tester on the groups is right with probability at least 9539/9540 in both cases, and D_G is far with probability at least 10/9540, then "
    "'not uniform' has probability at least 5/9540 on far D, against at most 1/9540 on U: a constant separation.",
    steps=(
        kernel("compressed-correctness"),
        kernel("compressed-separation-step"),
    ),
    constants=(
        Constant("10", slack="5/9540 is not tight: 10/9540 * 9539/9540 is above 9.9989/9540, and 10/9540 is refuted"),
        Constant("4", twin="separation 4.1/9540", by="4.1"),
    ),
    twins=(
        smt("p*q >= 10/9540", ("p >= 10/9540", "q >= 9539/9540"), says="at least 10/9540", p="[0, 1]", q="[0, 1]"),
        smt("x - r >= 4.1/9540", ("x >= 5/9540", "r <= 1/9540"), says="separation 4.1/9540", x="[0, 1]", r="[0, 1]"),
    ),
)
