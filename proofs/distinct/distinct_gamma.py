"""Lemma distinct-gamma, restated and proved in Appendix A.1."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    label="lem:distinct-gamma",
    where="section 3.1, Lemma distinct-gamma, restated in Appendix A.1",
    kind="lemma",
    printed="For gamma in (0,1]: 2^gamma/(2^gamma - 1) <= 2/gamma.",
    hypotheses=("0 < gamma <= 1",),
    covers=("lem:distinct-gamma", "lemma-13"),
    steps=(kernel("paper-lem-distinct-gamma"),),
    also=(
        kernel("distinct-gamma"),
        inequality("2^g/(2^g - 1) <= 2/g", says="by balls", g="(0, 1]"),
    ),
    constants=(Constant("2", twin="with 1.99", by="1.99"),),
    twins=(
        inequality("2^g/(2^g - 1) <= 1.99/g", says="with 1.99", g="(0, 1]"),
        inequality("2^g/(2^g - 1) < 2/g", says="strictly", g="(0, 1]"),
        inequality("2^g/(2^g - 1) <= 2/g", says="for gamma up to 1.01", g="(0, 1.01]"),
    ),
)
