"""The exponential form of Markov's inequality, behind every Chernoff bound."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    where="used in sections 2.1, 3.1 and 4.1",
    kind="fact",
    printed="For s >= 0: P[X >= a] <= E[e^(s(X-a))], and P[X <= a] <= E[e^(s(a-X))].",
    hypotheses=("s >= 0",),
    steps=(kernel("exponential-markov"),),
    constants=(Constant("1", twin="with a constant above 1", by="1.01"),),
    twins=(
        inequality("exp(y) >= 1", says="off the event too", y="[-1/100, inf)"),
        inequality("exp(y) >= 1.01", says="with a constant above 1", y="[0, inf)"),
    ),
)
