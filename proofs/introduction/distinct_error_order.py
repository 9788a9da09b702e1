"""Section 1.1: additive error O(sqrt(k)/eps), without a condition on eps; also the OR of section 3.1."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import inequality, no_constant

STATEMENT = Statement(
    where="section 1.1, first item; section 3.1, the accuracy of the central OR",
    kind="prose",
    printed="The protocol for distinct elements has additive error O(sqrt(k)/eps). (At constant beta = 1/3; sqrt(k) cancels.)",
    steps=(
        no_constant(
            "some constant C bounds alpha/sqrt(k) by C/eps for every eps > 0",
            inequality(
                "exp(C)/(exp(C) - 1)*sqrt(2*log(6)) > 1",
                says="at eps = C, C/eps = 1, but alpha/sqrt(k) = e^C/(e^C - 1) sqrt(2 ln 6) is above 1, for every C > 0",
                C="(0, inf)",
            ),
            "C",
        ),
    ),
    why="e^eps/(e^eps-1) is at least 1 however large eps is: the bound does not fall with 1/eps. For the constant C, eps = C is a witness.",
    repair=Repair(
        "O(max(1, 1/eps) sqrt(k)), as in Theorem de_upper; O(sqrt(k)/eps) for eps = O(1), as Figure 1 says.",
        (
            inequality("exp(e)/(exp(e) - 1)*sqrt(2*log(6)) <= 3", says="eps >= 1", e="[1, inf)"),
            inequality("exp(e)/(exp(e) - 1)*sqrt(2*log(6)) <= 3/e", says="eps <= 1", e="(0, 1]"),
        ),
    ),
    survives="The theorem has the right order.",
    twins=(
        inequality("exp(e)/(exp(e) - 1)*sqrt(2*log(6)) <= 2.9", says="eps >= 1 with 2.9", e="[1, inf)"),
        inequality("exp(e)/(exp(e) - 1)*sqrt(2*log(6)) <= 3/e", says="for eps up to 1.1", e="(0, 1.1]"),
    ),
)
