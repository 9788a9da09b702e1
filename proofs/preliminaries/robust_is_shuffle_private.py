"""Section 2.3: a robustly shuffle private protocol is shuffle private."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.preliminaries.robustness_not_implied import example
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    label="def:robust_shuffle_dp",
    where="section 2.3, after the definition of robust shuffle privacy",
    kind="prose",
    printed="P guarantees (eps, delta)-shuffle privacy whenever at least a gamma fraction of users follow the protocol.",
    reading="In particular when all do, gamma' = 1: robust privacy gives shuffle privacy.",
    steps=(kernel("paper-robust-is-shuffle-private"),),
    twins=(
        example(
            "and the other way round: delta stays when a user leaves",
            20,
            Fraction(4265, 262144),
            Fraction(4265, 262144),
        ),
        example("delta with the designated user is below 1/100", 20, Fraction(1, 100), Fraction(1)),
    ),
)
