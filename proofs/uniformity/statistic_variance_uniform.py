"""Claim moments-uniform: Var[Z] under the uniform law."""

from __future__ import annotations

from proofs.statement import Constant, Repair, Statement
from proofs.steps import moment, smt

COUNT = {"c": "Pois(mu)"}

STATEMENT = Statement(
    label="claim:moments-uniform",
    where="section 4.1.1, Claim moments-uniform, Var[Z] (Equation var-uniform), and Appendix A.3",
    kind="claim",
    printed="For n ~ Pois(m) and D = U: Var[Z] <= alpha^4 m^2/500000. (Var[Z] = 2k.)",
    covers=("eq:var-uniform", "display-51"),
    severity="false",
    rests_on=("poissonization",),
    steps=(
        moment(
            "value = 2*mu^2",
            COUNT,
            variance_of="(c - mu)^2 - c",
            says="one term has variance 2(m/k)^2, so Var[Z] = 2k",
            mu="(0, inf)",
        ),
        smt(
            "2*k <= a^4*m^2/500000",
            says="2k <= alpha^4 m^2/500000",
            k="integer [1, inf)",
            m="integer [1, inf)",
            a="(0, 1)",
        ),
    ),
    why="The analysis that is cited needs m of the order of sqrt(k)/alpha^2, which the claim does not ask for.",
    repair=Repair(
        "Var[Z] = 2k, which is at most alpha^4 m^2/500000 exactly if m >= 1000 sqrt(k)/alpha^2.",
        (
            smt(
                "2*k <= a^4*m^2/500000",
                ("m*a^2 >= 1000*r", "r^2 = k"),
                says="if m >= 1000 sqrt(k)/alpha^2",
                k="[1, inf)",
                r="[1, inf)",
                m="[1, inf)",
                a="(0, 1)",
            ),
            smt(
                "2*k > a^4*m^2/500000",
                ("m*a^2 < 1000*r", "r^2 = k"),
                says="only if",
                k="[1, inf)",
                r="[1, inf)",
                m="[1, inf)",
                a="(0, 1)",
            ),
        ),
        argument=(
            "By Poissonization the k terms of Z are independent, with the variance 2(m/k)^2 each by the statement's first step, so Var[Z] = (k/m)^2 k 2(m/k)^2 = 2k; r = sqrt(k)."
        ),
    ),
    survives="The theorem's m may be taken that large, so its sample complexity is not touched.",
    constants=(Constant("1000", twin="the repair with 990", by="990"),),
    twins=(
        moment(
            "value = 2*mu^2 + mu", COUNT, variance_of="(c - mu)^2 - c", says="with variance 2 mu^2 + mu", mu="(0, inf)"
        ),
        smt(
            "2*k <= a^4*m^2/500000",
            ("m*a^2 >= 990*r", "r^2 = k"),
            says="the repair with 990",
            k="[1, inf)",
            r="[1, inf)",
            m="[1, inf)",
            a="(0, 1)",
        ),
    ),
)
