"""Theorem ut-app-upper-bound: there is such a protocol."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel, smt

GROUPS = {"h": "[2, inf)", "K": "[2, inf)", "a": "(0, 1)"}

STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, Theorem ut-app-upper-bound",
    kind="theorem",
    printed=(
        "Let gamma in (0,1], eps > 0, alpha, delta in (0,1). There exists a protocol that is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private and, for eps = O(1) and delta = o(1), solves "
        "alpha-uniformity testing with sample complexity m = O((k^(2/3)/(alpha^(4/3) eps^(2/3)) + k^(1/2)/(alpha eps) + k^(1/2)/alpha^2) ln^(1/2)(k/delta))."
    ),
    covers=("thm:ut-app-upper-bound", "display-30"),
    reading="There exists a protocol: not the one of the printed proof, whose groups, threshold and repetitions fail, but another one, on groups of random cells. k >= 2; gamma n is a whole number; sample complexity is that of Pois(m) samples, as section 4 says.",
    steps=(kernel("paper-thm-ut-app-upper-bound"),),
    above=("figure-uniformity-upper",),
    constants=(
        Constant("8", slack="8 delta^gamma is not tight: 4(delta/2)^gamma holds"),
        Constant("2", slack="2 eps is what composition of the two pools gives"),
    ),
    twins=(
        smt("(h - 1)/(4*K) >= 1.02*h/(8*K)", says="alpha^^2 >= 1.02 alpha^2 h/(8K)", h="[2, inf)", K="[2, inf)"),
        identity("540*h^(1/2)/(a*(h/(8*K))^(1/2))^2 = 4320*(K/(a^2*h^(1/4)))", says="T_3 with h^(1/4)", **GROUPS),
        identity("31/100 + 1/100 = 1/3", says="the errors are 1/3 exactly"),
    ),
)
