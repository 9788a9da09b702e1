"""Claim moments-uniform: Var[Z] under the uniform law."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, moment, smt

COUNT = {"c": "Pois(mu)"}

STATEMENT = Statement(
    label="claim:moments-uniform",
    where="section 4.1.1, Claim moments-uniform, Var[Z] (Equation var-uniform), and Appendix A.3",
    kind="claim",
    printed="For n ~ Pois(m) and D = U: Var[Z] <= alpha^4 m^2/500000.",
    reading="m is that of the theorem that the claim is part of, with its term k^(1/2)/alpha^2 times a constant that is large enough: Var[Z] = 2k, so it holds exactly if m >= 1000 sqrt(k)/alpha^2. (The claim itself has no condition on m, and without one it is false: a twin.)",
    covers=("eq:var-uniform", "display-51"),
    steps=(
        kernel("paper-claim-moments-uniform"),
        kernel("uniform-variance"),
    ),
    constants=(
        Constant("1000", twin="with 990", by="990"),
        Constant("500000", slack="it is what makes the condition m >= 1000 sqrt(k)/alpha^2"),
    ),
    twins=(
        smt(
            "2*k <= a^4*m^2/500000",
            says="without a condition on m",
            k="integer [1, inf)",
            m="integer [1, inf)",
            a="(0, 1)",
        ),
        smt(
            "2*k <= a^4*m^2/500000",
            ("m*a^2 >= 990*r", "r^2 = k"),
            says="with 990",
            k="[1, inf)",
            r="[1, inf)",
            m="[1, inf)",
            a="(0, 1)",
        ),
        moment(
            "value = 2*mu^2 + mu", COUNT, variance_of="(c - mu)^2 - c", says="with variance 2 mu^2 + mu", mu="(0, inf)"
        ),
    ),
)
