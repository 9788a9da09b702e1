"""Theorem ut-upper-bound-prelim: sample complexity."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import exhaustive, inequality, kernel, smt
from panshuffle.proofs.uniformity.uniformity_randomizer_keeps_messages import messages


def hidden(overwrite: bool) -> bool:
    """Whether R_UT sends the same for x = 1 and x = 2 out of k = 3, when no noise is drawn."""
    return messages(1, 3, (0, 0, 0), overwrite) == messages(2, 3, (0, 0, 0), overwrite)


STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, Theorem ut-upper-bound-prelim, sample complexity",
    kind="theorem",
    printed="There exist lambda and tau such that P_UT is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private and, for eps = O(1), delta = o(1), solves alpha-uniformity testing with sample complexity m = "
    "O(k^(3/4)/(alpha eps) ln^(1/2)(k/delta) + k^(2/3)/(alpha^(4/3) eps^(2/3)) ln^(1/3)(k/delta) + k^(1/2)/alpha^2).",
    reading="R_UT appends its data message (the assignment arrow, taken at its word, loses all pools but the last: a twin); tau is any threshold, not the one of the proof, which fails for large k; sample complexity is that of Pois(m) samples, as section 4 says.",
    covers=("thm:ut-upper-bound-prelim", "display-17"),
    steps=(kernel("paper-thm-ut-upper-bound-prelim"),),
    constants=(Constant("8", slack="8 delta^gamma is not tight: 4(delta/2)^gamma holds"),),
    twins=(
        exhaustive(
            "with R_UT as printed, assigning: x = 1 and x = 2 give different messages, k = 3",
            lambda overwrite: not hidden(overwrite),
            [True],
            lambda overwrite: (
                "k = 3: the messages for x = 1 and x = 2 are the same, so U and (2/3, 0, 1/3) give one law, for every tau"
            ),
        ),
        inequality("(exp(e) + 1)/(exp(e) - 1) <= 0.98 + 2/e", says="c <= 0.98 + 2/eps", e="(0, inf)"),
        smt("1/3.1 + 1/100 < 0.33", says="at g = 1.05, below 0.33"),
    ),
)
