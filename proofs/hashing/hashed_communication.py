"""Corollary on P_HDE, Part III: communication."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import exhaustive, smt

STATEMENT = Statement(
    where="Appendix A.2, Corollary on P_HDE, Part III",
    kind="corollary",
    printed="Each user communicates at most O(n^(4/3) log(n(e^eps+1)/delta)) messages of length O(log n).",
    hypotheses=("c is a constant",),
    rests_on=("distinct-communication",),
    steps=(
        exhaustive(
            "with c = 1 a message has length at most 10^6 log2 n, n in {1, 2, 8}",
            lambda n: 10**6 * (n.bit_length() - 1) >= 1,
            [1, 2, 8],
            lambda n: f"n = {n}: log n = 0, and a message still carries a bit",
        ),
    ),
    why="At n = 1, log n = 0 but every message carries a bit and, for c > 1, a label.",
    repair=Repair(
        "k' = O(n^(4/3)) pools, messages of O(log(2n)) bits.",
        (smt("c*x + 1 <= 2*c*x", says="k' <= c n^(4/3) + 1 <= 2c n^(4/3), x = n^(4/3)", c="[1, inf)", x="[1, inf)"),),
    ),
    survives="Nothing rests on n = 1.",
    twins=(
        smt("c*x + 1 <= 1.99*c*x", says="with 1.99c n^(4/3)", c="[1, inf)", x="[1, inf)"),
        smt("c*x + 1 <= 2*c*x", says="for c >= 0.99", c="[0.99, inf)", x="[1, inf)"),
    ),
)
