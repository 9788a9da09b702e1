"""Theorem de_upper, Part I, with 2 delta/gamma in place of 4 delta/gamma."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

DELTA = "(exp(log(1/(1 - (1 - exp(-e))^g))) + 1)/(exp(e) + 1)"

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed="Part I holds with 2 delta/gamma in place of 4 delta/gamma: the printed bound delta' <= delta/gamma for one pool is used in full.",
    hypotheses=("as in Part I, with m(n) uniform one-bit shares a label where 4 n 2^-m(n) <= delta/(e^eps+1)",),
    steps=(
        kernel("paper-thm-de-upper-i-sharper"),
        kernel("distinct-privacy-half-delta"),
    ),
    constants=(
        Constant(
            "2",
            slack="one pool's delta' <= delta/gamma is tight to 3 per cent, as the first twin says; that two pools need twice as much is not claimed",
        ),
    ),
    twins=(
        inequality(f"{DELTA} <= 0.97/g", says="one pool: delta' <= 0.97 delta/gamma", e="(0, 5]", g="(0, 1]"),
        inequality(f"{DELTA} <= 1/sqrt(g)", says="one pool: delta' <= delta/sqrt(gamma)", e="(0, 5]", g="(0, 1]"),
        inequality(f"{DELTA} <= 1", says="one pool: delta' <= delta", e="(0, 5]", g="(0, 1]"),
    ),
)
