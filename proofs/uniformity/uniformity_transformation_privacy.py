"""Lemma ut-transformation: pan-privacy from robust shuffle privacy."""

from __future__ import annotations

from proofs.neighbours.pan_distinct_elements_worst_neighbour import TWINS
from proofs.statement import Statement
from proofs.steps import kernel

STATEMENT = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, Lemma ut-transformation, privacy",
    kind="lemma",
    printed="If P is (eps, delta, 1/3)-robustly shuffle private, Q_P is (eps, delta)-pan-private on streams of length n/3.",
    reading="n is a multiple of 3, n >= 3, and the state also holds how many of the coming elements are still used, which the algorithm needs.",
    covers=("lemma:ut-transformation",),
    rests_on=("countable-laws", "uniformity-transformation-state:repaired"),
    steps=(kernel("uniformity-transformation-privacy"),),
    argument=(
        "The kernel's theorem is the statement for protocols whose randomizer and analyzer have finite laws. Q_P makes its view from finitely many executions of R and A, of the shuffler and of one binomial draw, by products, images and mixtures, so countable-laws carries it to countable laws such as those of R_UT."
    ),
    twins=TWINS,
)
