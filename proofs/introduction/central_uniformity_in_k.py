"""Section 1.2: uniformity testing under central and pan-privacy, as it depends on k."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import inequality

STATEMENT = Statement(
    where="section 1.2, first paragraph",
    kind="prose",
    printed=(
        "Amin, Joseph and Mao gave tight (in the domain size k) Theta(k^(2/3)) sample complexity bounds for pure pan-privacy; Acharya, Sun and Zhang showed that "
        "Theta(sqrt(k)) is the optimal dependence under approximate central privacy."
    ),
    reading="The dependence on k for fixed alpha and eps: what the cells of Figure 1 for these results come to.",
    rests_on=(
        "pan-privacy",
        "figure-central-uniformity",
        "figure-pan-uniformity-upper",
        "uniformity-lower-bound-pan",
    ),
    steps=(
        inequality(
            "sqrt(k) <= sqrt(k) + k^(1/3) + 1 <= 3*sqrt(k)",
            says="central: among sqrt(k), k^(1/3) and 1 the first is the largest, so the sum is Theta(sqrt(k))",
            k="[1, inf)",
        ),
        inequality(
            "k^(2/3) <= k^(2/3) + sqrt(k) <= 2*k^(2/3)",
            says="pan: among k^(2/3) and sqrt(k) the first is the largest, so both cells are Theta(k^(2/3))",
            k="[1, inf)",
        ),
    ),
    argument=(
        "For fixed alpha and eps each cell is a sum of powers of k with constant coefficients: sqrt(k), sqrt(k), k^(1/3), 1 in the central one, k^(2/3), sqrt(k), sqrt(k) "
        "in the pan-private upper bound, k^(2/3), sqrt(k), 1 in the lower bound. For k >= 1 each sum is between its largest power's coefficient times that power and "
        "the sum of the coefficients times it."
    ),
    twins=(
        inequality("k^(2/3) <= 1.02*sqrt(k)", says="pan: Theta(sqrt(k)) with the constant 1.02", k="[1, inf)"),
        inequality("sqrt(k) + k^(1/3) + 1 <= 2.9*sqrt(k)", says="central, with 2.9 in place of 3", k="[1, inf)"),
    ),
)
