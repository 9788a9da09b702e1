"""Section 2.2: what is seen of the state later."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.preliminaries.post_processing import never_grows
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    where="section 2.2, after the definition of pan-privacy",
    kind="prose",
    printed="Under pan-privacy, post-processing ensures that future views of the pan-private algorithm's state will be differentially private with respect to past data.",
    reading="One view of the state at any later time, or anything computed from the state at time t, is (eps, delta)-private with respect to the elements up to t; several views are not promised.",
    steps=(kernel("future-views"),),
    twins=(
        never_grows("a later view is private with a smaller eps, e^eps = 1.95", Fraction(39, 20)),
        never_grows("a later view is private with e^eps = 3/2", Fraction(3, 2)),
    ),
    rests_on=(
        "pan-privacy",
        "post-processing",
    ),
)
