"""Corollary on P_HDE, Part I: privacy."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import kernel, smt

STATEMENT = Statement(
    where="Appendix A.2, Corollary on P_HDE, Part I",
    kind="corollary",
    printed="P_HDE is (2 eps + 2 ln(1/gamma), 2 delta/gamma, gamma)-robustly shuffle private.",
    hypotheses=("eps > 0, delta in (0,1)", "m(n) messages a label where 4 n 2^-m(n) <= delta/(e^eps+1), as for P_DE"),
    covers=("corollary-1",),
    rests_on=("distinct-elements-privacy-sharper",),
    steps=(kernel("hashed-distinct-privacy"),),
    twins=(
        smt("4*d/g <= 2*d/g", says="from Theorem de_upper as printed, with 4 delta/gamma", d="(0, 1)", g="(0, 1]"),
        smt("2*d/g <= 1.9*d/g", says="with 1.9 delta/gamma", d="(0, 1)", g="(0, 1]"),
    ),
)
