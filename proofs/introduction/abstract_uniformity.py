"""The abstract: uniformity testing."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import inequality

STATEMENT = Statement(
    where="the abstract; section 1.1, second item",
    kind="prose",
    printed=(
        "For uniformity testing, a robust approximate shuffle private protocol has sample complexity O~(k^(2/3)), and an Omega(k^(2/3)) dependence is necessary for any robust "
        "pure shuffle private tester."
    ),
    reading="alpha, eps and gamma are constants; O~ hides a power of log(k/delta). The protocol is the repaired one.",
    rests_on=("figure-uniformity-upper", "figure-uniformity-lower"),
    steps=(
        inequality(
            "k^(2/3) <= k^(2/3) + sqrt(k) + 1 <= 3*k^(2/3)",
            says="k^(2/3) is the largest of the powers in both cells",
            k="[1, inf)",
        ),
    ),
    argument="For constant alpha, eps and gamma the two cells of Figure 1 are sums of k^(2/3), sqrt(k) and 1, the upper one times sqrt(log(k/delta)); the step compares the powers.",
    twins=(
        inequality("k^(2/3) + sqrt(k) + 1 <= 2.9*k^(2/3)", says="with 2.9", k="[1, inf)"),
        inequality("sqrt(k) >= 0.98*k^(2/3)", says="Omega(k^(2/3)) from the term sqrt(k)", k="[1, inf)"),
    ),
)
