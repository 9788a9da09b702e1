"""Appendix A.1: the displays in the proof of Lemma distinct-ber."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, smt

BITS = {"x": "[0, 1]", "y": "[0, 1]"}

STATEMENT = Statement(
    where="Appendix A.1, proof of Lemma distinct-ber",
    kind="display",
    printed=(
        "With Y_i = 1 - 2X_i and Y their product: P[X = 1] = P[Y = -1] = (1 - E[Y])/2, and E[Y] = product of E[Y_i] = product of (1 - 2E[X_i]) = (1 - 2p')^(gamma n), so "
        "P[X = 1] = (1 - (1-2p')^(gamma n))/2, and the value of p' gives the result."
    ),
    reading="'Y = prod' without its factor is the product of the Y_i.",
    covers=("display-42", "display-43"),
    rests_on=("distinct-ber",),
    steps=(
        identity(
            "1 - 2*(x + y - 2*x*y) = (1 - 2*x)*(1 - 2*y)",
            says="x + y mod 2 is x + y - 2xy for bits: the sign of a sum mod 2 is the product of the signs",
            **BITS,
        ),
        smt("p = (1 - y)/2", ("y = (1 - p) - p",), says="E[Y] = P[Y = 1] - P[Y = -1]", p="[0, 1]", y="[-1, 1]"),
        identity("1 - 2*((1 - r)/2) = r", says="1 - 2p' = (1-2p)^(1/n) =: r", r="[0, 1]"),
        identity(
            "((1 - 2*p)^(1/n))^(g*n) = (1 - 2*p)^g", says="to the power gamma n", p="[0, 1/2)", n="[1, inf)", g="(0, 1]"
        ),
    ),
    argument=(
        "By the first step, gamma n - 1 times, Y = 1 - 2X, so X = 1 if and only if Y = -1; the second step is P[Y = -1]. The mean of a product of independent factors is the product of the means, "
        "each 1 - 2p'. The last two steps are the substitution; at p = 1/2 both sides are 0. The lemma itself is distinct-ber, by the kernel."
    ),
    twins=(
        identity("1 - 2*(x + y - x*y) = (1 - 2*x)*(1 - 2*y)", says="with the OR in place of the sum mod 2", **BITS),
        smt("p = (1 + y)/2", ("y = (1 - p) - p",), says="(1 + E[Y])/2", p="[0, 1]", y="[-1, 1]"),
    ),
)
