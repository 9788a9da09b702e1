"""Chebyshev's inequality."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import smt

INDICATOR = ("i*(1 - i) = 0", "i*((x - mu)^2 - t^2) >= 0")

STATEMENT = Statement(
    where="used in section 4.1, both cases of the tester",
    kind="fact",
    printed="For t > 0: P[|X - mu| >= t] <= Var[X]/t^2, mu being the mean of X.",
    hypotheses=("t > 0", "Var[X] is finite"),
    steps=(
        smt(
            "t^2*i <= (x - mu)^2",
            INDICATOR,
            says="pointwise, with i the indicator of |x - mu| >= t; then take expectations",
            x="(-inf, inf)",
            mu="(-inf, inf)",
            t="(0, inf)",
            i="[0, 1]",
        ),
    ),
    argument=(
        "Let i be the indicator of |X - mu| >= t. The step holds at every outcome, so the means of its sides are ordered: t^2 P[|X - mu| >= t] <= E[(X - mu)^2] = Var[X]."
    ),
    constants=(Constant("1", twin="with the constant 1/1.02", by="1/1.02"),),
    twins=(
        smt(
            "1.02*t^2*i <= (x - mu)^2",
            INDICATOR,
            says="with the constant 1/1.02",
            x="(-inf, inf)",
            mu="(-inf, inf)",
            t="(0, inf)",
            i="[0, 1]",
        ),
        smt(
            "t^2*i <= (x - mu)^2",
            ("i*(1 - i) = 0", "i*((x - mu)^2 - t^2 + 0.01) >= 0"),
            says="for a wider event",
            x="(-inf, inf)",
            mu="(-inf, inf)",
            t="(0, inf)",
            i="[0, 1]",
        ),
    ),
)
