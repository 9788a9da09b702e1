"""Appendix A.3: 'follows from the fact that E_j ~ Bin(l_j, 1/2)'."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import kernel, kernel_refutation, moment

NOISE = {"X": "Bin(l, 1/2)"}

STATEMENT = Statement(
    label="eq:var-b",
    where="Appendix A.3, the sentence after Equation var-b",
    kind="step",
    printed="Equation var-b follows from E_j ~ Bin(l_j, 1/2): then E[E_j^2] = l_j/4.",
    severity="convention",
    steps=(kernel_refutation("uncentred-refuted", "l = 1: the second moment of a fair bit is 1/2, not 1/4"),),
    why="E_j is Bin(l_j, 1/2) less its mean; Bin(l, 1/2) itself has the second moment l/4 + l^2/4.",
    repair=Repair(
        "E_j ~ Bin(l_j, 1/2) - l_j/2.",
        (kernel("centred-second-moment"),),
    ),
    survives="Equation var-b is right.",
    twins=(
        moment("value = l/4 + l^2/8", NOISE, mean_of="X^2", says="with l/4 + l^2/8", l="[0, inf)"),
        moment("value = 0.26*l", NOISE, mean_of="(X - l/2)^2", says="the repair with 0.26 l", l="[0, inf)"),
    ),
)
