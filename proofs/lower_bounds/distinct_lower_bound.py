"""Theorem de-lower-bound."""

from __future__ import annotations

from proofs.lower_bounds.distinct_lower_bound_pan_2 import constant_answer, large_enough
from proofs.statement import Constant, Repair, Statement
from proofs.steps import smt

STATEMENT = Statement(
    label="thm:de-lower-bound",
    where="section 3.2, Theorem de-lower-bound",
    kind="theorem",
    printed=(
        "Let eps <= 1, delta = O(eps/n), beta < 0.1. If P is (eps, delta, 1/3)-robustly shuffle private and solves the (alpha, beta)-distinct elements "
        "problem on length n >= 3k/eps, then alpha = Omega(sqrt(k/eps))."
    ),
    covers=("thm:de-lower-bound",),
    severity="false",
    referee="One may object that k eps is meant to be large, because the proof works on the domain [k eps] and ignores ceilings and floors; but eps <= 1 is the only condition that is printed, and the bound fails for every k at eps = c^2/k, so a hypothesis is missing and not a rounding.",
    steps=(
        constant_answer(
            "some constant c > 0 has alpha >= c sqrt(k/eps) (a protocol that sends nothing and answers (k+1)/2 is robustly private)"
        ),
    ),
    why="As for the pan-private lemma: for eps below 1/k the constant answer (k+1)/2 errs by less than sqrt(k/eps).",
    repair=Repair(
        "The same for k eps above a constant.",
        (
            smt(
                "n/3 >= k/e",
                ("n >= 3*k/e",),
                says="Q_P has the stream length n/3 >= k/eps",
                n="(0, inf)",
                k="[1, inf)",
                e="(0, 1]",
            ),
            smt(
                "a >= x/2",
                ("a + 1 >= x", "x >= 2"),
                says="alpha + 1 = Omega(x) gives alpha = Omega(x) for large x",
                a="[0, inf)",
                x="(0, inf)",
            ),
        ),
        ("distinct-transformation-privacy", "distinct-transformation-accuracy", "distinct-lower-bound-pan-2:repaired"),
        argument=(
            "Q_P is (eps, delta)-pan-private and solves the (alpha + 1, beta)-distinct elements problem on length n/3 >= k/eps; delta = O(eps/n) = O(eps/(n/3)). By the repaired lemma alpha + 1 >= c sqrt(k/eps) for k eps above a constant. If k eps >= 4/c^2, then c sqrt(k/eps) >= "
            "c sqrt(k eps) >= 2 since eps <= 1, and the second step gives alpha >= (c/2) sqrt(k/eps)."
        ),
    ),
    survives="The lower bound is meant for large k; with the hypothesis it stands, on the cited lemma.",
    constants=(Constant("2", twin="the repair for x >= 1.9", by="1.9"),),
    twins=(
        large_enough("k eps >= 0.49 is enough for the constant 1/4 at k = 2", "0.49"),
        smt("a >= x/2", ("a + 1 >= x", "x >= 1.9"), says="the repair for x >= 1.9", a="[0, inf)", x="(0, inf)"),
    ),
)
