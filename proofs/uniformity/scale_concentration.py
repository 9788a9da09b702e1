"""Equation scale-concentration."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality, smt

STATEMENT = Statement(
    label="eq:scale-concentration",
    where="section 4.1.1, Equation scale-concentration",
    kind="display",
    printed="P[some l_j > 2 lambda] < 1/50, the l_j being Pois(lambda), j in [k].",
    reading="lambda >= 40 c^2 ln(2k/delta), c >= 1, as chosen for privacy before; all users are honest, as for every statement on accuracy.",
    covers=("eq:scale-concentration",),
    rests_on=("poisson-concentration", "poisson-sums"),
    steps=(
        identity("lam^2/(2*(lam + lam)) = lam/4", says="P[l_j > 2 lambda] <= 2 e^(-lambda/4)", lam="(0, inf)"),
        smt(
            "lam/4 >= 10*L",
            ("lam >= 40*c2*L",),
            says="lambda/4 >= 10 ln(2k/delta)",
            lam="(0, inf)",
            c2="[1, inf)",
            L="(0, inf)",
        ),
        identity("exp(-10*log(2*k/d)) = (d/(2*k))^10", says="e^(-lambda/4) <= (delta/2k)^10", k="[1, inf)", d="(0, 1)"),
        inequality("2*k*(d/(2*k))^10 < 1/50", says="k times 2(delta/2k)^10 is below 1/50", k="[1, inf)", d="(0, 1)"),
    ),
    argument=(
        "With all users honest l_j ~ Pois(lambda). The concentration lemma at t = lambda gives P[l_j > 2 lambda] <= P[|l_j - lambda| >= lambda] <= 2 e^(-lambda/4), which the second and third steps bound by 2(delta/2k)^10; the union over k pools is at most k times that, below 1/50 by the last step."
    ),
    constants=(Constant("1/50", slack="not tight: the proof's own bound is below 1/512, and 1/520 is refuted for it"),),
    twins=(
        inequality("2*k*(d/(2*k))^10 < 1/520", says="below 1/520", k="[1, inf)", d="(0, 1)"),
        inequality("2*k*(d/(2*k))^5 < 1/50", says="with the power 5", k="[1, inf)", d="(0, 1)"),
    ),
)
