"""Theorem ut-pure-lower-bound."""

from __future__ import annotations

from proofs.lower_bounds.uniformity_lower_bound_pan import needed
from proofs.statement import Repair, Statement
from proofs.steps import identity, smt

STATEMENT = Statement(
    label="thm:ut-pure-lower-bound",
    where="section 4.2, Theorem ut-pure-lower-bound",
    kind="theorem",
    printed=(
        "For eps = O(1) and alpha < 1/9, any (eps, 0, 1/3)-robustly shuffle private alpha-uniformity tester has sample complexity "
        "Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps))."
    ),
    covers=("thm:ut-pure-lower-bound", "display-40"),
    steps=(needed("samples are needed, for k in {1, 2, 3}", [1, 2, 3]),),
    why="For k = 1 there is only the uniform distribution, and no samples are needed.",
    repair=Repair(
        "For k >= 2, on the cited lower bound; Q_P has error 1/2 and is amplified by a constant number of repetitions.",
        (
            needed("samples are needed, for k in {2, 3}", [2, 3]),
            smt("9*a/2 < 1/2", ("a < 1/9",), says="alpha < 1/9 gives 9 alpha/2 < 1/2", a="(0, 1)"),
            identity("(9*a/2)^(-4/3) = (9/2)^(-4/3)*a^(-4/3)", says="the constant factor in alpha", a="(0, 1)"),
        ),
        ("uniformity-transformation-privacy", "uniformity-transformation-accuracy", "uniformity-lower-bound-pan"),
    ),
    survives="This is the theorem.",
    twins=(
        smt("9*a/2 < 1/2", ("a < 0.112",), says="for alpha < 0.112", a="(0, 1)"),
        needed("for k = 1", [1]),
    ),
)
