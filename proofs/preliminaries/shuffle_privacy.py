"""Definition: shuffle differential privacy."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    label="def:shuffle_dp",
    where="section 2.3, Definition (Shuffle Differential Privacy)",
    kind="definition",
    printed="P is (eps, delta)-shuffle private if for all n the shuffled messages of n users are (eps, delta)-differentially private.",
    covers=("def:shuffle_dp",),
    implementation="panshuffle.exact.curves.curve.View",
)
