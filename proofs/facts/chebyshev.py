"""Chebyshev's inequality."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

INDICATOR = ("i*(1 - i) = 0", "i*((x - mu)^2 - t^2) >= 0")

STATEMENT = Statement(
    where="used in section 4.1, both cases of the tester",
    kind="fact",
    printed="For t > 0: P[|X - mu| >= t] <= Var[X]/t^2, mu being the mean of X.",
    hypotheses=("t > 0", "Var[X] is finite"),
    steps=(kernel("chebyshev"),),
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
