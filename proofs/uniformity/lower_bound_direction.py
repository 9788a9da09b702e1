"""Equation z'-lower: a lower bound that uses l_j <= 2 lambda."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import moment, smt

PRINTED = "k/(4*m)*s >= k^2/(2*m)*lam"

STATEMENT = Statement(
    label="eq:z'-lower",
    where="section 4.1.1, Case 2, Equation z'-lower",
    kind="display",
    printed="k/(4m) sum l_j >= k^2 lambda/(2m), from l_j <= 2 lambda for all j.",
    covers=("eq:z'-lower",),
    steps=(
        smt(
            PRINTED,
            ("s <= 2*k*lam",),
            says="with s = sum l_j <= 2 k lambda",
            k="[1, inf)",
            m="[1, inf)",
            s="[0, inf)",
            lam="[1, inf)",
        ),
    ),
    why=(
        "The bound l_j <= 2 lambda is used in the wrong direction: it bounds the sum from above. The mean of k/(4m) sum l_j is "
        "k^2 lambda/(4m), half of what is claimed."
    ),
    repair=Repair(
        "E[k/(4m) sum l_j] = k^2 lambda/(4m): the threshold has to be built around that mean, as in uniformity-tester-theorem.",
        (
            moment("value = lam", {"L": "Pois(lam)"}, mean_of="L", says="E[l_j] = lambda", lam="(0, inf)"),
            smt(
                "k/(4*m)*(k*lam) < k^2/(2*m)*lam",
                says="which is less than what is claimed, always",
                k="[1, inf)",
                m="[1, inf)",
                lam="(0, inf)",
            ),
        ),
    ),
    survives="It does not: the printed threshold contains k^2 lambda/(2m), and for large k the printed tester fails (tester-as-printed).",
    twins=(
        smt(
            "k/(4*m)*s >= k^2/(4*m)*lam",
            ("s <= 2*k*lam",),
            says="with half of it",
            k="[1, inf)",
            m="[1, inf)",
            s="[0, inf)",
            lam="[1, inf)",
        ),
        smt(
            PRINTED,
            ("s <= 2*k*lam", "s >= 1.99*k*lam"),
            says="for sums of at least 1.99 k lambda",
            k="[1, inf)",
            m="[1, inf)",
            s="[0, inf)",
            lam="[1, inf)",
        ),
    ),
)
