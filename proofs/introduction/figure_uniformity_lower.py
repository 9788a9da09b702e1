"""Figure 1, pan and robust shuffle, uniformity testing, lower bounds."""

from __future__ import annotations

from proofs.lower_bounds.uniformity_lower_bound_pan import needed
from proofs.statement import Statement
from proofs.steps import smt

STATEMENT = Statement(
    where="Figure 1, pan and robust shuffle, uniformity testing, lower bounds",
    kind="figure",
    printed="Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps)) samples for delta = 0.",
    hypotheses=("k >= 2", "alpha < 1/2 (pan), alpha < 1/9 (robust shuffle)"),
    rests_on=("uniformity-lower-bound-pan", "uniformity-lower-bound"),
    steps=(smt("9*a/2 < 1/2", ("a < 1/9",), says="alpha < 1/9 is what the transformation needs", a="(0, 1)"),),
    twins=(
        needed("for k = 1 too", [1]),
        smt("9*a/2 < 1/2", ("a < 1/8",), says="for alpha < 1/8", a="(0, 1)"),
    ),
)
