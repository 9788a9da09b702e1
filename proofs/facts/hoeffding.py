"""Hoeffding's inequality for sums of independent bits."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import derivative, identity, smt

STATEMENT = Statement(
    where="used in section 3.1, Accuracy (II)",
    kind="fact",
    printed="For independent bits X_1, ..., X_k with sum C and t >= 0: P[|C - E[C]| >= t] <= 2 e^(-2t^2/k).",
    hypotheses=("X_j in {0, 1}, independent, not necessarily of one law", "t >= 0"),
    rests_on=("exponential-markov",),
    steps=(
        derivative(
            "log(1 - p + p*exp(s))",
            "s",
            "p*exp(s)/(1 - p + p*exp(s))",
            says="phi(s) = ln E[e^(sX)] for one bit, phi(0) = 0, phi'(0) = p",
            p="(0, 1)",
            s="(-inf, inf)",
        ),
        derivative(
            "p*exp(s)/(1 - p + p*exp(s))",
            "s",
            "p*exp(s)/(1 - p + p*exp(s))*(1 - p*exp(s)/(1 - p + p*exp(s)))",
            says="phi'' = q(1 - q) with q = phi'",
            p="(0, 1)",
            s="(-inf, inf)",
        ),
        smt("q*(1 - q) <= 1/4", says="so phi'' <= 1/4, and phi(s) <= ps + s^2/8 by Taylor", q="[0, 1]"),
        identity("k*(4*t/k)^2/8 - (4*t/k)*t = -2*t^2/k", says="the choice s = 4t/k", k="[1, inf)", t="[0, inf)"),
    ),
    twins=(
        smt("q*(1 - q) <= 0.24", says="with phi'' <= 0.24", q="[0, 1]"),
        identity("k*(4*t/k)^2/8 - (4*t/k)*t = -2.1*t^2/k", says="with 2.1 t^2/k", k="[1, inf)", t="[0, inf)"),
    ),
)
