"""Lemma de-transformation: pan-privacy from robust shuffle privacy."""

from __future__ import annotations

from panshuffle.proofs.neighbours.pan_distinct_elements_worst_neighbour import TWINS
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    label="lem:de-transformation",
    where="section 3.2, Lemma de-transformation, privacy",
    kind="lemma",
    printed="If P is (eps, delta, 1/3)-robustly shuffle private, Q_P is (eps, delta)-pan-private on streams of length n/3.",
    hypotheses=("n is a multiple of 3, as the paper says",),
    covers=("lem:de-transformation", "display-16"),
    steps=(kernel("paper-lem-de-transformation"),),
    twins=TWINS,
)
