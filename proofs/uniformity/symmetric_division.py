"""Appendix A.3, proof of Claim symmetric-mean-zero: division by d_j."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import identity, kernel, kernel_refutation

STATEMENT = Statement(
    label="clm:symmetric-mean-zero",
    where="Appendix A.3, proof of Claim symmetric-mean-zero, the first display",
    kind="display",
    printed="For any v != 0 and real d_j: P[E_j d_j = v] = P[E_j = v/d_j]: the events are the same, (v/d) d = v.",
    covers=("display-53",),
    severity="convention",
    steps=(kernel_refutation("symmetric-division-refuted", "v = 1, d = 0"),),
    why="d_j = 0 is allowed, and v/0 is not defined. (In B, d_j = c_j - m/k is 0 whenever the count is m/k.)",
    repair=Repair(
        "For d_j != 0 as printed; for d_j = 0 the term is 0, which is symmetric.",
        (
            kernel("symmetric-division"),
            kernel("paper-clm-symmetric-mean-zero"),
        ),
    ),
    survives="The claim survives.",
    twins=(
        identity("(v/d)*d = 1.02*v", says="with 1.02 v", v="(0, inf)", d="(0, inf)"),
        identity("(v/d)*d = -v", says="with -v", v="(0, inf)", d="(0, inf)"),
    ),
)
