"""Lemma poi_con: concentration of Poisson variables."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    label="lem:poi_con",
    where="section 4.1, Lemma poi_con",
    kind="lemma",
    printed="For X ~ Pois(lambda) and t > 0: P[|X - lambda| >= t] <= 2 e^(-t^2/(2(lambda+t))).",
    hypotheses=("lambda > 0", "t > 0"),
    covers=("lem:poi_con", "display-20"),
    steps=(kernel("paper-lem-poi-con"),),
    constants=(Constant("2", twin="above, with 1.98 in place of 2", by="1.98"),),
    twins=(
        inequality("(1 + u)*log(1 + u) - u >= u^2/(1.98*(1 + u))", says="above, with 1.98 in place of 2", u="[0, inf)"),
        inequality("(1 + u)*log(1 + u) - u >= u^2/2", says="above, without 1 + u", u="[0, inf)"),
        inequality("(1 - u)*log(1 - u) + u >= u^2/(1.98*(1 + u))", says="below, with 1.98", u="[0, 1)"),
    ),
)
