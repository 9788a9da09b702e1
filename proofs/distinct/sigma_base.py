"""Algorithm R_DE sets sigma = log(...): which base?"""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import identity, kernel

PRINTED = "(D + 1)*2^(-log((exp(e) + 1)/d)) = (D + 1)/(exp(e) + 1)*d"
BASE_TWO = "(D + 1)*2^(-log((exp(e) + 1)/d)/log(2)) = (D + 1)/(exp(e) + 1)*d"

STATEMENT = Statement(
    label="alg:de-upper-randomizer",
    where="section 3.1, sigma in Algorithms R_DE and A_DE, and 'delta' := (e^eps'+1) 2^-sigma = (e^eps'+1)/(e^eps+1) delta'",
    kind="step",
    printed="With sigma = log((e^eps+1)/delta): (e^eps'+1) 2^-sigma = (e^eps'+1)/(e^eps+1) delta. (D stands for e^eps'.)",
    steps=(identity(PRINTED, says="with the natural logarithm", D="[1, inf)", e="(0, inf)", d="(0, 1)"),),
    why=(
        "No base is given. With the natural logarithm 2^-sigma = (delta/(e^eps+1))^(ln 2) is larger than delta/(e^eps+1), and the delta "
        "of the theorem does not follow."
    ),
    repair=Repair(
        "sigma = log2((e^eps+1)/delta).",
        (kernel("binary-sigma"),),
    ),
    survives="Theorem de_upper holds with base 2.",
    twins=(
        identity(
            BASE_TWO.replace("log(2)", "log(2.02)"), says="with base 2.02", D="[1, inf)", e="(0, inf)", d="(0, 1)"
        ),
        identity(
            BASE_TWO.replace("(exp(e) + 1)/d", "exp(e)/d"),
            says="with e^eps/delta",
            D="[1, inf)",
            e="(0, inf)",
            d="(0, 1)",
        ),
    ),
)
