"""Claim moments-uniform: E[Z] and Var[B] under the uniform law."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel, moment

COUNT = {"c": "Pois(mu)"}

STATEMENT = Statement(
    label="claim:moments-uniform",
    where="section 4.1.1, Claim moments-uniform, E[Z] and Var[B], proved in Appendix A.3",
    kind="claim",
    printed="For n ~ Pois(m) and D = U: E[Z] <= alpha^2 m/500 and Var[B] = (k/m) sum l_j.",
    reading="Var[B] is given the l_j.",
    covers=("claim:moments-uniform",),
    steps=(kernel("paper-claim-moments-uniform"),),
    constants=(
        Constant("1/500", slack="not tight: E[Z] is 0"),
        Constant("1", twin="Var[B] 1.02 times as large", by="1.02"),
    ),
    twins=(
        moment("value = mu", COUNT, mean_of="(c - mu)^2 - c", says="E[Z] = m/k a term", mu="(0, inf)"),
        identity(
            "4*k^2/m^2*(l/4)*(m/k) = 1.02*k/m*l",
            says="Var[B] 1.02 times as large",
            k="[1, inf)",
            m="(0, inf)",
            l="[0, inf)",
        ),
    ),
)
