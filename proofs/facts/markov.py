"""Markov's inequality."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

INDICATOR = ("i*(1 - i) = 0", "i*(x - a) >= 0")

STATEMENT = Statement(
    where="used in Appendix A.2, the hash lemma",
    kind="fact",
    printed="For X >= 0 and a > 0: P[X >= a] <= E[X]/a.",
    hypotheses=("X >= 0", "a > 0"),
    steps=(kernel("markov"),),
    constants=(Constant("1", twin="with the constant 1/1.05", by="1/1.05"),),
    twins=(
        smt("a*i <= x", INDICATOR, says="without X >= 0", x="(-inf, inf)", a="(0, inf)", i="[0, 1]"),
        smt("1.05*a*i <= x", INDICATOR, says="with the constant 1/1.05", x="[0, inf)", a="(0, inf)", i="[0, 1]"),
    ),
)
