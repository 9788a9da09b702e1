"""Theorem ut-app-upper-bound."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import smt
from proofs.uniformity.compression_keeps_uniform import uniform_after

STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, Theorem ut-app-upper-bound (the protocol of its proof fails: compression-keeps-uniform, tester-as-printed, repetition-robustness)",
    kind="theorem",
    printed=(
        "There is a protocol that is (2 eps, 8 delta^gamma, gamma)-robustly shuffle private and, for eps = O(1) and delta = o(1), solves "
        "alpha-uniformity testing with m = O((k^(2/3)/(alpha^(4/3) eps^(2/3)) + k^(1/2)/(alpha eps) + k^(1/2)/alpha^2) ln^(1/2)(k/delta))."
    ),
    covers=("thm:ut-app-upper-bound", "display-30"),
    hypotheses=("there is a protocol: the repaired one, with the cited constants of domain compression",),
    rests_on=(
        "uniformity-privacy",
        "uniformity-tester",
        "domain-compression",
        "compression-keeps-uniform",
        "group-count",
        "repetition-robustness",
        "amplification",
        "compressed-uniformity-worst-neighbour",
        "compressed-sample-size",
        "compressed-correctness",
    ),
    steps=(
        uniform_after("equal groups keep U uniform: k = 4 in two groups, 6 in three", [(4, 2), (6, 3)], True),
        smt(
            "p - r >= 4/9540",
            ("p >= 5/9540", "r <= 1/9540"),
            says="a constant separation is left to be amplified",
            p="[0, 1]",
            r="[0, 1]",
        ),
    ),
    twins=(
        uniform_after("k = 7 in three groups of equal size", [(7, 3)], True),
        smt("p - r >= 4.1/9540", ("p >= 5/9540", "r <= 1/9540"), says="separation 4.1/9540", p="[0, 1]", r="[0, 1]"),
    ),
)
