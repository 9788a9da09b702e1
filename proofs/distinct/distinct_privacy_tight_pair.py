"""Theorem de_upper, Part I, at the loss of the pair of pools."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel, smt

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed="P_DE is (ln(2e^eps' - 1), 4 delta/gamma, gamma)-robustly shuffle private, eps' = ln(1/(1 - (1-e^-eps)^gamma)): the printed delta at an eps that is less than 2 eps'.",
    hypotheses=("as in Part I",),
    steps=(
        kernel("distinct-privacy-tight-pair"),
        kernel("pair-tight-below-composition"),
    ),
    twins=(
        smt(
            "4*D*d/(E + 1) < 3.9*d/g",
            ("D <= E/g",),
            says="with 3.9 delta/gamma by this argument",
            D="(1, inf)",
            d="(0, 1)",
            E="(1, inf)",
            g="(0, 1]",
        ),
        inequality("log(2*exp(e) - 1) <= 1.9*e", says="the loss is at most 1.9 eps'", e="(0, inf)"),
    ),
    constants=(Constant("4", twin="with 3.9 delta/gamma by this argument", by="3.9"),),
)
