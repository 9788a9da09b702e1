"""Theorem ut-upper-bound-prelim: sample complexity."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import exhaustive, identity, inequality, smt
from proofs.uniformity.uniformity_randomizer_keeps_messages import messages


def hidden(overwrite: bool) -> bool:
    """Whether R_UT sends the same for x = 1 and x = 2 out of k = 3, when no noise is drawn."""
    return messages(1, 3, (0, 0, 0), overwrite) == messages(2, 3, (0, 0, 0), overwrite)


STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, Theorem ut-upper-bound-prelim, sample complexity",
    kind="theorem",
    printed=(
        "There exist lambda and tau such that P_UT is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private and, for eps = O(1), delta = o(1), solves alpha-uniformity testing with sample complexity m = "
        "O(k^(3/4)/(alpha eps) ln^(1/2)(k/delta) + k^(2/3)/(alpha^(4/3) eps^(2/3)) ln^(1/3)(k/delta) + k^(1/2)/alpha^2)."
    ),
    reading=(
        "R_UT appends its data message (the assignment arrow, taken at its word, loses all pools but the last: a twin); tau is any threshold, not the one of the proof, which fails for large k; sample complexity is that of Pois(m) samples, as section 4 says, or of a fixed number, of whom each takes part by a coin of their own."
    ),
    covers=("thm:ut-upper-bound-prelim", "display-17"),
    rests_on=(
        "uniformity-privacy",
        "uniformity-noise",
        "uniformity-tester-theorem",
        "fixed-sample-size",
        "uniformity-randomizer-keeps-messages:repaired",
    ),
    steps=(
        inequality("(exp(e) + 1)/(exp(e) - 1) <= 1 + 2/e", says="c <= (2 + eps)/eps", e="(0, inf)"),
        smt(
            "2.65*c^2*L + 1 <= 5*(K + 2)^2*L/e^2",
            ("c*e <= K + 2", "e <= K", "L >= 0.69"),
            says="lambda = 2.65 c^2 ln(2/delta), rounded up, is at most 5(K + 2)^2 ln(2/delta)/eps^2 for eps <= K",
            c="[1, inf)",
            L="(0, inf)",
            e="(0, inf)",
            K="(0, inf)",
        ),
        identity(
            "4*(1.1*b*L/e^2)^(1/2)*k^(3/4)/a = 4*(1.1*b)^(1/2)*(k^(3/4)/(a*e)*L^(1/2))",
            says="so the second condition on m is O(k^(3/4)/(alpha eps) ln^(1/2)(1/delta))",
            b="(0, inf)",
            L="(0, inf)",
            e="(0, inf)",
            k="[1, inf)",
            a="(0, 1)",
        ),
        smt("1/3.2 + 1/100 < 1/3", says="the errors at g = 1.1 with a fixed number of users"),
    ),
    argument=(
        "Take lambda as in uniformity-noise, rounded up: P_UT is (2 eps, 4(delta/2)^gamma, gamma)-robustly private, which is within (2 eps, 8 delta^gamma, gamma); a larger lambda is as good. For eps <= K, K the bound on eps, it is O(ln(1/delta)/eps^2) by the first two steps, ln(2/delta) >= ln 2 > 0.69. Take tau as in uniformity-tester-theorem with g = 1.1: it asks for m >= 59.4 k^(1/2)/alpha^2 and m >= 4(1.1 lambda)^(1/2) k^(3/4)/alpha, "
        "which is O(k^(3/4)/(alpha eps) ln^(1/2)(1/delta)) by the third step, and both errors are at most 1/3.2 with Pois(m) samples. With a fixed number n >= 100 m of users, who take part by coins of their own, they are at most 1/3.2 + 1/100 < 1/3. The middle term of the printed bound is not needed, nor k in the logarithm."
    ),
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
