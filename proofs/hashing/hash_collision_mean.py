"""Appendix A.2: the mean number of collisions."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import smt

STATEMENT = Statement(
    where="Appendix A.2, proof of Lemma distinct-hash",
    kind="step",
    printed="|S| - |S'| <= X, the number of collisions, and E[X] <= |S|^2/k'.",
    reading="2-universal: P[h(s) = h(s')] <= 1/k' for s != s'.",
    steps=(
        smt("s*(s - 1)/2*(1/k1) <= s^2/k1", says="E[X] is at most C(|S|, 2)/k'", s="[0, inf)", k1="[1, inf)"),
        smt(
            "b - 1 <= b*(b - 1)/2",
            says="a cell with b >= 1 elements loses b - 1 and has C(b, 2) collisions",
            b="integer [1, inf)",
        ),
    ),
    argument=(
        "X counts the pairs s < s' in S with h(s) = h(s'); there are |S|(|S|-1)/2 pairs, each with probability at most 1/k', so E[X] <= C(|S|,2)/k', the first step. The elements of S that go to one cell, b >= 1 of them, "
        "lose b - 1 elements and have C(b,2) collisions, the second step; summed over the cells that are hit, |S| - |S'| <= X."
    ),
    constants=(
        Constant("1", slack="E[X] <= |S|^2/(2k') holds too, and 0.49 in place of 1/2 does not, as the first twin says"),
    ),
    twins=(
        smt("s*(s - 1)/2*(1/k1) <= 0.49*s^2/k1", says="with 0.49 |S|^2/k'", s="[0, inf)", k1="[1, inf)"),
        smt("b - 1 <= 0.99*b*(b - 1)/2", says="with 0.99 collisions", b="integer [1, inf)"),
    ),
)
