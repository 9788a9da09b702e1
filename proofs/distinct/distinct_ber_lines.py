"""Appendix A.1: the displays in the proof of Lemma distinct-ber."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import identity, kernel, smt

BITS = {"x": "[0, 1]", "y": "[0, 1]"}

STATEMENT = Statement(
    where="Appendix A.1, proof of Lemma distinct-ber",
    kind="display",
    printed="With Y_i = 1 - 2X_i and Y their product: P[X = 1] = P[Y = -1] = (1 - E[Y])/2, and E[Y] = product of E[Y_i] = product of (1 - 2E[X_i]) = (1 - 2p')^(gamma n), so "
    "P[X = 1] = (1 - (1-2p')^(gamma n))/2, and the value of p' gives the result.",
    reading="'Y = prod' without its factor is the product of the Y_i.",
    covers=("display-42", "display-43"),
    steps=(
        kernel("distinct-ber-lines"),
        kernel("paper-lem-distinct-ber"),
    ),
    twins=(
        identity("1 - 2*(x + y - x*y) = (1 - 2*x)*(1 - 2*y)", says="with the OR in place of the sum mod 2", **BITS),
        smt("p = (1 + y)/2", ("y = (1 - p) - p",), says="(1 + E[Y])/2", p="[0, 1]", y="[-1, 1]"),
    ),
)
