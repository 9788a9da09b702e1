"""Equation scale-concentration."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    label="eq:scale-concentration",
    where="section 4.1.1, Equation scale-concentration",
    kind="display",
    printed="P[some l_j > 2 lambda] < 1/50, the l_j being Pois(lambda), j in [k].",
    reading="lambda >= 40 c^2 ln(2k/delta), c >= 1, as chosen for privacy before; all users are honest, as for every statement on accuracy.",
    covers=("eq:scale-concentration",),
    steps=(kernel("paper-eq-scale-concentration"),),
    constants=(Constant("1/50", slack="not tight: the proof's own bound is below 1/512, and 1/520 is refuted for it"),),
    twins=(
        inequality("2*k*(d/(2*k))^10 < 1/520", says="below 1/520", k="[1, inf)", d="(0, 1)"),
        inequality("2*k*(d/(2*k))^5 < 1/50", says="with the power 5", k="[1, inf)", d="(0, 1)"),
    ),
)
