"""Lemma de-transformation with alpha + 1/2."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

GIVEN = ("-a <= z - w", "z - w <= a", "0 <= w - d", "w - d <= 1")
RANGE = {"z": "(-inf, inf)", "d": "[0, inf)", "w": "[0, inf)", "a": "[0, inf)"}

STATEMENT = Statement(
    label="lem:de-transformation",
    where="beside Lemma de-transformation, section 3.2",
    kind="sharper",
    printed="If P solves the (alpha, beta)-distinct elements problem on length n, Q_P with 1/2 taken off its output solves the (alpha + 1/2, beta)-problem on length n/3, with the same privacy.",
    hypotheses=("n/3 is rounded down where n is not a multiple of 3", "the laws of P are finite"),
    steps=(kernel("distinct-transformation-half"),),
    twins=(
        smt("z - 1/2 - d <= a + 0.49", GIVEN, says="with alpha + 0.49", **RANGE),
        smt("-(a + 1/2) <= z - 0.52 - d", GIVEN, says="with 0.52 taken off", **RANGE),
    ),
    constants=(Constant("1/2", twin="with alpha + 0.49", by="0.49"),),
)
