"""Cantelli's inequality, the one-sided form of Chebyshev's."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

INDICATOR = ("i*(1 - i) = 0", "i*(x - mu - t) >= 0")

STATEMENT = Statement(
    where="not in the paper; used for the repaired threshold of section 4.1",
    kind="fact",
    printed="For t > 0: P[X - mu >= t] <= v/(v + t^2), mu being the mean and v the variance of X.",
    hypotheses=("t > 0", "v is finite"),
    steps=(kernel("cantelli"),),
    constants=(Constant("1", twin="with 1.04 t^2, for the law with two values t and -v/t", by="1.04"),),
    twins=(
        smt(
            "i*(t + u)^2 <= (x - mu + u)^2",
            INDICATOR,
            says="for every real u",
            x="(-inf, inf)",
            mu="(-inf, inf)",
            t="(0, inf)",
            u="(-inf, inf)",
            i="[0, 1]",
        ),
        smt(
            "v/(v + t^2) <= v/(v + 1.04*t^2)",
            says="with 1.04 t^2, for the law with two values t and -v/t",
            v="(0, inf)",
            t="(0, inf)",
        ),
    ),
)
