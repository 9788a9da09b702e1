"""Lemma ut-transformation: diluting D."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, proof of Lemma ut-transformation, accuracy, and its displays",
    kind="step",
    printed="If the total variation of D and U is above 9 alpha/2, that of (2/9)D + (7/9)U and U is above alpha; on uniform streams Q_P is P on uniform "
    "samples; and among n samples from the mixture Bin(n, 2/9) are from D, so with n' = min(Bin(n, 2/9), n/3) of them the laws differ by "
    "less than 1/6 if P[Bin(n, 2/9) > n/3] < 1/6, and 1/3 + 1/6 = 1/2.",
    covers=("display-36", "display-37", "display-38"),
    steps=(
        kernel("dilution"),
        kernel("diluted-samples"),
        kernel("transformed-samples"),
        kernel("paper-lemma-ut-transformation"),
    ),
    constants=(Constant("9/2", twin="with 4.4 alpha", by="4.4"),),
    twins=(
        smt("2/9*t > a", ("t > 4.4*a",), says="with 4.4 alpha", t="[0, 1]", a="(0, 1)"),
        smt("p + x <= 0.49", ("p <= 1/3", "x < 1/6"), says="with 0.49", p="[0, 1]", x="[0, 1]"),
    ),
)
