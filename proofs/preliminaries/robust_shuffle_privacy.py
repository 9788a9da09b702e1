"""Definition: robust shuffle differential privacy."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    label="def:robust_shuffle_dp",
    where="section 2.3, Definition (Robust Shuffle Differential Privacy)",
    kind="definition",
    printed=(
        "For gamma in (0,1], P is (eps, delta, gamma)-robustly shuffle private if for all n and gamma' >= gamma the shuffled messages of "
        "gamma' n users are (eps, delta)-differentially private; gamma is assumed to be in {1/n, 2/n, ..., 1} to avoid ceilings and floors."
    ),
    covers=("def:robust_shuffle_dp",),
    implementation="panshuffle.exact.curves.curve.View",
)
