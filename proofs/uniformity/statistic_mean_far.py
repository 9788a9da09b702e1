"""Equation ex-z-non: the mean of Z when D is far from uniform."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, moment, smt

STATEMENT = Statement(
    label="eq:ex-z-non",
    where="section 4.1.1, Case 2, Equation ex-z-non",
    kind="display",
    printed="If the total variation of D and U is above alpha: E[Z] >= alpha^2 m/5. (In truth E[Z] = mk sum (p_j - 1/k)^2 >= 4 alpha^2 m.)",
    reading="n ~ Pois(m), so c_j ~ Pois(m p_j).",
    covers=("eq:ex-z-non",),
    steps=(
        kernel("paper-eq-z-non"),
        kernel("far-mean"),
    ),
    constants=(
        Constant(
            "1/5", slack="not tight: 4 in place of 1/5 holds, and 4.04 does not (the twin with 1.01, for two elements)"
        ),
    ),
    twins=(
        smt("2*(x^2 + y^2) >= 1.01*(x + y)^2", says="with 1.01", x="[0, inf)", y="[0, inf)"),
        moment(
            "value = (nu - mu)^2 + nu",
            {"c": "Pois(nu)"},
            mean_of="(c - mu)^2 - c",
            says="with nu more",
            nu="[0, inf)",
            mu="(0, inf)",
        ),
    ),
)
