"""Definition: pan-privacy."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    label="def:pan",
    where="section 2.2, Definition (Pan-privacy)",
    kind="definition",
    printed=(
        "Q is (eps, delta)-pan-private if for all neighbouring streams, every time t and every set T of pairs, "
        "P[(state at t, output) in T] <= e^eps P[(state' at t, output') in T] + delta."
    ),
    covers=("def:pan", "eq:pan"),
    implementation="panshuffle.protocols.model.online.View",
)
