"""Composition where the second algorithm sees the first one's output."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.preliminaries.composition import adds_up
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

STATEMENT = Statement(
    label="fact:comp",
    where="beside Fact comp, section 2.1",
    kind="sharper",
    printed="Fact comp holds also if A_2 sees the output of A_1 and is private for every such output.",
    hypotheses=("A_2 uses coins of its own",),
    steps=(kernel("adaptive-composition-countable"),),
    twins=(
        adds_up("with e^(eps_1 + eps_2) = 2.2 in place of 9/4", Fraction(11, 5), Fraction(1)),
        adds_up("with 0.99 (delta_1 + delta_2)", Fraction(9, 4), Fraction(99, 100)),
    ),
)
