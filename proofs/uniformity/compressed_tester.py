"""Theorem ut-app-upper-bound."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import smt
from proofs.uniformity.compression_keeps_uniform import uniform_after

STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, Theorem ut-app-upper-bound, for the protocol of its proof",
    kind="theorem",
    printed=(
        "There is a protocol that is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private and, for eps = O(1) and delta = o(1), solves "
        "alpha-uniformity testing with m = O((k^(2/3)/(alpha^(4/3) eps^(2/3)) + k^(1/2)/(alpha eps) + k^(1/2)/alpha^2) ln^(1/2)(k/delta))."
    ),
    covers=("thm:ut-app-upper-bound", "display-30"),
    rests_on=(
        "uniformity-privacy",
        "compressed-uniformity-worst-neighbour",
        "compressed-sample-size",
        "compressed-correctness",
    ),
    steps=(uniform_after("the protocol sees a uniform D_G when D = U: k = 5 in two groups", [(5, 2)], False),),
    why=(
        "Three things fail: D_G is not uniform for D = U unless the groups have equal size; the tester underneath has a wrong threshold and "
        "loses its messages; and the constant number of repetitions is not robust if users are split (repetition-robustness)."
    ),
    repair=Repair(
        "With equal groups and padding, the repaired tester, and repetitions in which every user adds noise to all copies: the same privacy and, "
        "on the cited constants of domain compression, the same order of m.",
        (
            uniform_after("equal groups keep U uniform", [(4, 2), (6, 3)], True),
            smt(
                "p - r >= 4/9540",
                ("p >= 5/9540", "r <= 1/9540"),
                says="a constant separation is left to be amplified",
                p="[0, 1]",
                r="[0, 1]",
            ),
        ),
        ("uniformity-tester", "domain-compression", "group-count", "repetition-robustness", "amplification"),
    ),
    survives="This is the theorem; it survives for the repaired protocol.",
    twins=(
        uniform_after("k = 7 in three groups of equal size", [(7, 3)], True),
        smt("p - r >= 4.1/9540", ("p >= 5/9540", "r <= 1/9540"), says="separation 4.1/9540", p="[0, 1]", r="[0, 1]"),
    ),
)
