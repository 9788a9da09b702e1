"""Section 1.2: how far the shuffle private histogram is from the central one."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import identity, inequality, no_constant

STATEMENT = Statement(
    where="section 1.2, second paragraph",
    kind="prose",
    printed="For histograms, the best known shuffle private l-infinity guarantee differs by a 1/eps factor from the centrally private guarantee.",
    reading="The cells of Figure 1 are compared in their dependence on eps, where the logarithms agree: for a domain of size k >= 1/delta, as min(1/delta, k) = 1/delta there.",
    rests_on=("figure-central-histogram", "figure-shuffle-histogram"),
    steps=(
        identity(
            "(1/e^2*log(1/d))/(1/e*log(1/d)) = 1/e",
            says="the ratio of the two cells is 1/eps",
            e="(0, inf)",
            d="(0, 1/2]",
        ),
    ),
    argument="For k >= 1/delta the central cell is (1/eps) log(1/delta) and the shuffle cell (1/eps^2) log(1/delta); the step is their quotient.",
    twins=(
        no_constant(
            "for every k: some constant C bounds the ratio by C/eps",
            inequality(
                "C/log(2) > C",
                says="k = 2 and ln(1/delta) = C: the ratio is (1/eps) C/ln 2, more than C/eps, for every C >= 1",
                C="[1, inf)",
            ),
            "C",
        ),
        identity("(1/e^2*log(1/d))/(1/e*log(1/d)) = 1/e^2", says="by 1/eps^2", e="(0, inf)", d="(0, 1/2]"),
    ),
)
