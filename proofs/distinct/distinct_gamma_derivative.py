"""Appendix A.1: the derivative in the proof of Lemma distinct-gamma."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import derivative, inequality, kernel

TERM = "g*(2^g/(2^g - 1))"

STATEMENT = Statement(
    where="Appendix A.1, proof of Lemma distinct-gamma",
    kind="display",
    printed="The first derivative of gamma 2^gamma/(2^gamma-1) is 2^gamma (2^gamma - gamma ln 2 - 1)/(2^gamma-1)^2, and "
    "2^gamma - gamma ln 2 - 1 >= 0, with derivative (2^gamma - 1) ln 2 >= 0.",
    hypotheses=("0 < gamma <= 1",),
    covers=("display-44",),
    steps=(kernel("gamma-derivative"),),
    twins=(
        derivative(TERM, "g", "2^g*(2^g - g*log(2) - 1)/(2^g - 1)", says="without the square", g="(0, 1]"),
        inequality("2^g - 1.05*g*log(2) - 1 >= 0", says="with 1.05 gamma ln 2", g="(0, 1]"),
    ),
)
