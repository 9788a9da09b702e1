"""Definition: online algorithm."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement

STATEMENT = Statement(
    where="section 2.2, Definition (Online Algorithm)",
    kind="definition",
    printed="An internal algorithm maps an element and a state to a state; an output algorithm maps the final state to an output.",
    covers=("definition-2",),
    implementation="panshuffle.protocols.model.online.OnlineAlgorithm",
)
