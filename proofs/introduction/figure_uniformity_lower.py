"""Figure 1, pan and robust shuffle, uniformity testing, lower bounds."""

from __future__ import annotations

from proofs.lower_bounds.uniformity_lower_bound_pan import needed
from proofs.statement import Repair, Statement
from proofs.steps import smt

STATEMENT = Statement(
    where="Figure 1, pan and robust shuffle, uniformity testing, lower bounds",
    kind="figure",
    printed="Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps)) samples for delta = 0.",
    steps=(needed("samples are needed, for k in {1, 2, 3}", [1, 2, 3]),),
    why="For k = 1 there is only the uniform distribution; alpha < 1/2 (pan) and alpha < 1/9 (robust shuffle) are not said either.",
    repair=Repair(
        "For k >= 2, alpha < 1/2 (pan) and alpha < 1/9 (robust shuffle), on the cited lower bound.",
        (smt("9*a/2 < 1/2", ("a < 1/9",), says="alpha < 1/9 is what the transformation needs", a="(0, 1)"),),
        ("uniformity-lower-bound-pan", "uniformity-lower-bound"),
    ),
    survives="The comparison that the figure makes is for large k.",
    twins=(
        needed("for k = 1 too", [1]),
        smt("9*a/2 < 1/2", ("a < 1/8",), says="for alpha < 1/8", a="(0, 1)"),
    ),
)
