"""Theorem de-lower-bound."""

from __future__ import annotations

from panshuffle.proofs.lower_bounds.distinct_lower_bound_pan_2 import large_enough
from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import kernel, kernel_refutation, smt

STATEMENT = Statement(
    label="thm:de-lower-bound",
    where="section 3.2, Theorem de-lower-bound",
    kind="theorem",
    printed="Let eps <= 1, delta = O(eps/n), beta < 0.1. If P is (eps, delta, 1/3)-robustly shuffle private and solves the (alpha, beta)-distinct elements "
    "problem on length n >= 3k/eps, then alpha = Omega(sqrt(k/eps)).",
    covers=("thm:de-lower-bound",),
    severity="false",
    referee="One may object that k eps is meant to be large, because the proof works on the domain [k eps] and ignores ceilings and floors; but eps <= 1 is the only condition that is printed, and the bound fails for every k at eps = c^2/k, so a hypothesis is missing and not a rounding.",
    steps=(
        kernel_refutation(
            "paper-thm-de-lower-bound",
            "a protocol that sends nothing and answers (k+1)/2 errs by less than k/2, which is below a sqrt(k/eps) for small eps",
        ),
    ),
    why="As for the pan-private lemma: for eps below 1/k the constant answer (k+1)/2 errs by less than sqrt(k/eps).",
    repair=Repair(
        "If Lemma de-lower-bound-pan, which the paper cites, holds: the same for k eps above a constant.",
        (kernel("paper-thm-de-lower-bound-repaired"),),
    ),
    survives="The lower bound is meant for large k; with the hypothesis it stands, on the cited lemma.",
    constants=(Constant("2", twin="the repair for x >= 1.9", by="1.9"),),
    twins=(
        large_enough("k eps >= 0.49 is enough for the constant 1/4 at k = 2", "0.49"),
        smt("a >= x/2", ("a + 1 >= x", "x >= 1.9"), says="the repair for x >= 1.9", a="[0, inf)", x="(0, inf)"),
    ),
)
