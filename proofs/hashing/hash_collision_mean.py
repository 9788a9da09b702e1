"""Appendix A.2: the mean number of collisions."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    where="Appendix A.2, proof of Lemma distinct-hash",
    kind="step",
    printed="|S| - |S'| <= X, the number of collisions, and E[X] <= |S|^2/k'.",
    reading="2-universal: P[h(s) = h(s')] <= 1/k' for s != s'.",
    steps=(
        kernel("hash-losses"),
        kernel("hash-collisions-mean"),
    ),
    constants=(
        Constant("1", slack="E[X] <= |S|^2/(2k') holds too, and 0.49 in place of 1/2 does not, as the first twin says"),
    ),
    twins=(
        smt("s*(s - 1)/2*(1/k1) <= 0.49*s^2/k1", says="with 0.49 |S|^2/k'", s="[0, inf)", k1="[1, inf)"),
        smt("b - 1 <= 0.99*b*(b - 1)/2", says="with 0.99 collisions", b="integer [1, inf)"),
    ),
)
