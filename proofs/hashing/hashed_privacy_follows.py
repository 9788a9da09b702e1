"""Corollary on P_HDE, Part I: does it follow from Theorem de_upper as printed?"""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    where="Appendix A.2, proof of Part I: 'privacy follows from Theorem de_upper Part I'",
    kind="step",
    printed="h(x) and h(x') are neighbouring datasets, and (2 eps + 2 ln(1/gamma), 2 delta/gamma, gamma)-robust privacy follows from Theorem de_upper Part I, which has 4 delta/gamma.",
    steps=(
        smt(
            "4*d/g <= 2*d/g",
            says="a (2 eps(gamma), 4 delta/gamma) guarantee is a (2 eps(gamma), 2 delta/gamma) one",
            d="(0, 1)",
            g="(0, 1]",
        ),
    ),
    severity="unproved step",
    why="The theorem is printed with 4 delta/gamma, the corollary with half of it.",
    repair=Repair(
        "The theorem holds with 2 delta/gamma, and the corollary follows from that.",
        (kernel("distinct-privacy-half-delta"), kernel("hashing-preserves-privacy")),
    ),
    survives="The corollary's Part I is true.",
    twins=(
        smt("4*d/g <= 3.99*d/g", says="with 3.99 delta/gamma", d="(0, 1)", g="(0, 1]"),
        smt("4*d/g <= 4*d", says="with 4 delta", d="(0, 1)", g="(0, 1]"),
    ),
)
