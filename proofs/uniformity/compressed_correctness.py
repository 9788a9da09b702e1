"""Theorem ut-app-upper-bound: the arithmetic of correctness."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, smt

STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, proof of Theorem ut-app-upper-bound, Correctness",
    kind="step",
    printed=(
        "With probability 10/9540 = 1/954 D_G is far; then 'not uniform' has probability at least 9539/9540, in all at least 5/9540, against at "
        "most 1/9540 on U: a constant separation."
    ),
    steps=(
        identity("10/9540 = 1/954", says="10/9540 = 1/954"),
        smt(
            "p*q >= 5/9540",
            ("p >= 10/9540", "q >= 9539/9540"),
            says="10/9540 * 9539/9540 >= 5/9540",
            p="[0, 1]",
            q="[0, 1]",
        ),
        smt(
            "p*q - r >= 4/9540",
            ("p*q >= 5/9540", "r <= 1/9540"),
            says="the separation is at least 4/9540",
            p="[0, 1]",
            q="[0, 1]",
            r="[0, 1]",
        ),
    ),
    twins=(
        smt("p*q >= 10/9540", ("p >= 10/9540", "q >= 9539/9540"), says="at least 10/9540", p="[0, 1]", q="[0, 1]"),
        smt(
            "p*q - r >= 5/9540",
            ("p*q >= 5/9540", "r <= 1/9540"),
            says="separation 5/9540",
            p="[0, 1]",
            q="[0, 1]",
            r="[0, 1]",
        ),
    ),
)
