"""Appendix A.2: the mean number of collisions."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import smt

STATEMENT = Statement(
    where="Appendix A.2, proof of Lemma distinct-hash",
    kind="step",
    printed="|S| - |S'| <= X, the number of collisions, and E[X] <= |S|^2/k'.",
    hypotheses=("P[h(s) = h(s')] <= 1/k' for s != s'",),
    steps=(
        smt("s*(s - 1)/2*(1/k1) <= s^2/k1", says="E[X] is at most C(|S|, 2)/k'", s="[0, inf)", k1="[1, inf)"),
        smt(
            "b - 1 <= b*(b - 1)/2",
            says="a cell with b >= 1 elements loses b - 1 and has C(b, 2) collisions",
            b="integer [1, inf)",
        ),
    ),
    twins=(
        smt("s*(s - 1)/2*(1/k1) <= 0.49*s^2/k1", says="with 0.49 |S|^2/k'", s="[0, inf)", k1="[1, inf)"),
        smt("b - 1 <= 0.99*b*(b - 1)/2", says="with 0.99 collisions", b="integer [1, inf)"),
    ),
)
