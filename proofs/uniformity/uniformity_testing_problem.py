"""Definition: uniformity testing."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 4, Definition (Uniformity Testing)",
    kind="definition",
    printed=(
        "M solves alpha-uniformity testing with sample complexity m if it says 'uniform' with probability at least 2/3 "
        "on U^m, and 'not uniform' with probability at least 2/3 on D^m whenever the total variation of D and U is "
        "above alpha."
    ),
    covers=("definition-8",),
    implementation="panshuffle.protocols.uniformity.Uniformity",
)
