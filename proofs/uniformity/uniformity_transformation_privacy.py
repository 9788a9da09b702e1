"""Lemma ut-transformation: pan-privacy from robust shuffle privacy."""

from __future__ import annotations

from panshuffle.proofs.neighbours.pan_distinct_elements_worst_neighbour import TWINS
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, Lemma ut-transformation, privacy",
    kind="lemma",
    printed="If P is (eps, delta, 1/3)-robustly shuffle private, Q_P is (eps, delta)-pan-private on streams of length n/3.",
    reading="n is a multiple of 3, n >= 3, and the state also holds how many of the coming elements are still used, which the algorithm needs.",
    covers=("lemma:ut-transformation",),
    steps=(kernel("paper-lemma-ut-transformation"),),
    twins=TWINS,
)
