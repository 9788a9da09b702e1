"""Definition: the shuffle model."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 2.3, Definition (Shuffle Model)",
    kind="definition",
    printed="A randomizer, a shuffler that applies a uniformly random permutation to all messages, and an analyzer.",
    covers=("definition-4", "display-4"),
    implementation="panshuffle.protocols.model.shuffle.execute",
)
