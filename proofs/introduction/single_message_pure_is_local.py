"""Section 1.2, on Balcer and Cheu."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    where="section 1.2, on Balcer and Cheu",
    kind="prose",
    printed="Any single-message eps-shuffle private protocol is also eps-locally private.",
    reading="eps-local privacy: P[R(x) in T] <= e^eps P[R(x') in T] for all x, x' and T, R being the randomizer that the n users run.",
    steps=(kernel("single-message-pure-local"),),
    twins=(
        smt(
            "p <= E*q",
            ("p*s <= 1.02*E*(q*s)",),
            says="from a guarantee that is two per cent weaker",
            p="[0, 1]",
            q="(0, 1]",
            s="(0, 1]",
            E="[1, inf)",
        ),
        smt(
            "p <= E*q",
            ("p*s <= E*(q*s) + 1/100",),
            says="with delta = 1/100",
            p="[0, 1]",
            q="(0, 1]",
            s="(0, 1]",
            E="[1, inf)",
        ),
    ),
)
