"""Section 2.2: a pan-private algorithm is centrally private."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.preliminaries.post_processing import never_grows
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    where="section 2.2, after the definition of pan-privacy",
    kind="prose",
    printed="By the output requirement, any (eps, delta)-pan-private algorithm also satisfies (eps, delta)-central differential privacy.",
    steps=(kernel("paper-pan-private-is-private"),),
    twins=(
        never_grows("the output alone is private with a smaller eps, e^eps = 19/10", Fraction(19, 10)),
        never_grows("the output alone is private with e^eps = 3/2", Fraction(3, 2)),
    ),
)
