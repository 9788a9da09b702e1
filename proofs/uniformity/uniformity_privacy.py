"""Theorem ut-upper-bound-prelim: the privacy of P_UT."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, Theorem ut-upper-bound-prelim, privacy",
    kind="theorem",
    printed="Let gamma in (0,1], eps > 0 and delta in (0,1). There is a lambda in N, lambda = 40 ((e^eps+1)/(e^eps-1))^2 ln(2k/delta), such that P_UT is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private.",
    reading="lambda is that number rounded up, or any larger one: it is irrational in general, and so is the number gamma lambda/2 of coins in the proof. The randomizer appends its data message. gamma n is a whole number.",
    steps=(kernel("paper-thm-ut-upper-bound-prelim-privacy"),),
    constants=(
        Constant("40", slack="not tight: 2.65 c^2 ln(2/delta), without k, suffices (uniformity-noise)"),
        Constant("8", slack="not tight: 4(delta/2)^gamma holds (uniformity-noise)"),
    ),
    twins=(
        smt(
            "lam/12 >= L",
            ("lam >= 11.9*c2*Lk", "Lk >= L"),
            says="with 11.9 in place of 40",
            lam="(0, inf)",
            c2="[1, inf)",
            L="(0, inf)",
            Lk="(0, inf)",
        ),
        smt(
            "l/2 >= g*10*c2*Lk",
            ("l >= g*lam/2", "lam >= 39*c2*Lk"),
            says="with 39 in place of 40",
            l="[0, inf)",
            g="(0, 1]",
            lam="(0, inf)",
            c2="[1, inf)",
            Lk="(0, inf)",
        ),
    ),
    rests_on=("uniformity-noise",),
)
