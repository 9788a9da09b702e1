"""A lambda for P_UT without k in the logarithm."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="beside Theorem ut-upper-bound-prelim, privacy",
    kind="sharper",
    printed="With lambda >= 2.65 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), a real number and without k, P_UT is "
    "(2 eps, 4(delta/2)^gamma, gamma)-robustly shuffle private.",
    hypotheses=("gamma in (0,1], eps > 0, delta in (0,1)", "the randomizer appends its data message"),
    steps=(kernel("paper-thm-ut-upper-bound-prelim-privacy-sharper"),),
    constants=(
        Constant("2.65", twin="with 2.59", by="2.59"),
        Constant("4", slack="4(delta/2)^gamma is what composition gives; the exact delta of the pair is far smaller"),
    ),
    twins=(
        inequality("2.59*(1 - exp(-x)) >= 2.06*x", says="with 2.59", x="(0, 1/2.06]"),
        inequality("2.65*(1 - exp(-x)) >= 2.06*x", says="for x up to 1/1.7", x="(0, 1/1.7]"),
    ),
)
