"""The exponential form of Markov's inequality, behind every Chernoff bound."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import inequality

STATEMENT = Statement(
    where="used in sections 2.1, 3.1 and 4.1",
    kind="fact",
    printed="For s >= 0: P[X >= a] <= E[e^(s(X-a))], and P[X <= a] <= E[e^(s(a-X))].",
    hypotheses=("s >= 0",),
    steps=(
        inequality("exp(y) >= 1", says="on the event, with y = s(x - a) >= 0", y="[0, inf)"),
        inequality("exp(y) >= 0", says="off the event", y="(-inf, inf)"),
    ),
    argument=(
        "With y = s(X - a), the indicator of X >= a is at most e^y: on the event y >= 0 and e^y >= 1, off it e^y >= 0. Take means. The second bound is the first for -X and -a."
    ),
    constants=(Constant("1", twin="with a constant above 1", by="1.01"),),
    twins=(
        inequality("exp(y) >= 1", says="off the event too", y="[-1/100, inf)"),
        inequality("exp(y) >= 1.01", says="with a constant above 1", y="[0, inf)"),
    ),
)
