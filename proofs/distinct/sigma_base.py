"""Algorithm R_DE sets sigma = log(...): which base?"""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel

BASE_TWO = "(D + 1)*2^(-log((exp(e) + 1)/d)/log(2)) = (D + 1)/(exp(e) + 1)*d"
RANGE = {"D": "[1, inf)", "e": "(0, inf)", "d": "(0, 1)"}

STATEMENT = Statement(
    label="alg:de-upper-randomizer",
    where="section 3.1, sigma in Algorithms R_DE and A_DE, and 'delta' := (e^eps'+1) 2^-sigma = (e^eps'+1)/(e^eps+1) delta'",
    kind="step",
    printed="With sigma = log((e^eps+1)/delta): (e^eps'+1) 2^-sigma = (e^eps'+1)/(e^eps+1) delta.",
    reading="log is to base 2, which the equality itself shows: with the natural logarithm it fails for every eps and delta, as the kernel's second theorem says.",
    hypotheses=("eps > 0, delta in (0,1)",),
    steps=(
        kernel("sigma-display"),
        kernel("binary-sigma"),
        kernel("natural-sigma-refuted"),
    ),
    twins=(
        identity(BASE_TWO.replace("/log(2)", ""), says="with the natural logarithm", **RANGE),
        identity(BASE_TWO.replace("log(2)", "log(2.02)"), says="with base 2.02", **RANGE),
        identity(BASE_TWO.replace("(exp(e) + 1)/d", "exp(e)/d"), says="with e^eps/delta", **RANGE),
    ),
    constants=(Constant("2", twin="with base 2.02", by="2.02"),),
    referee="One may object that no base is given; but 2^-sigma and the printed equality leave one base only.",
)
