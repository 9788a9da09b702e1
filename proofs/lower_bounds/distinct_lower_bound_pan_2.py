"""Lemma de-lower-bound-pan-2."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import kernel, kernel_refutation, no_constant, smt


def constant_answer(says: str) -> Step:
    """No constant c > 0 has alpha >= c sqrt(k/eps) for every eps <= 1, however large k is.

    The constant answer (k+1)/2 is (0, 0)-private, whatever n is, and errs by at most (k-1)/2.
    """
    return no_constant(
        says,
        smt(
            "(k - 1)^2/4 < c^2*k/(c^2/k)",
            says="any k >= 2, eps = c^2/k, any n, delta = 0: the constant answer (k+1)/2 errs by at most (k-1)/2, less than c sqrt(k/eps), however small c and however large k is",
            c="(0, 1]",
            k="[2, inf)",
        ),
        "c",
        toward="0",
    )


def large_enough(says: str, least: str) -> Step:
    """At k = 2 an answer that errs by 1/2 is no contradiction for the constant 1/4 if k eps >= 1; with less it is one."""
    return smt("1/4 >= (1/4)^2*(2/e)", ("2*e >= " + least,), says=says, e="(0, 1]")


STATEMENT = Statement(
    label="lem:de-lower-bound-pan-2",
    where="section 3.2, Lemma de-lower-bound-pan-2",
    kind="lemma",
    printed="Let eps <= 1, delta = O(eps/n), beta < 0.1. If an (eps, delta)-pan-private Q solves the (alpha, beta)-distinct elements problem on length "
    "n >= k/eps, then alpha = Omega(sqrt(k/eps)).",
    covers=("lem:de-lower-bound-pan-2",),
    severity="false",
    referee="One may object that k eps is meant to be large, because the proof works on the domain [k eps] and ignores ceilings and floors; but eps <= 1 is the only condition that is printed, and the bound fails for every k at eps = c^2/k, so a hypothesis is missing and not a rounding.",
    steps=(
        kernel_refutation(
            "paper-lem-de-lower-bound-pan-2",
            "an algorithm that keeps nothing and answers (k+1)/2 errs by less than k/2, which is below a sqrt(k/eps) for small eps",
        ),
    ),
    why="D(x) is between 1 and k, so the constant answer (k+1)/2 errs by less than k/2, and with eps below 1/k that is less than sqrt(k/eps). The "
    "reduction works on the domain [k eps], which must be large.",
    repair=Repair(
        "If Lemma de-lower-bound-pan, which the paper cites, holds: the same for k eps above a constant.",
        (kernel("paper-lem-de-lower-bound-pan-2-repaired"),),
    ),
    survives="Theorem de-lower-bound inherits the missing hypothesis; so does Figure 1.",
    twins=(
        large_enough("k eps >= 0.49 is enough for the constant 1/4 at k = 2", "0.49"),
        smt(
            "a >= c*r/s",
            ("a*s^2 >= 0.99*c*r*s",),
            says="the rearrangement with 0.99",
            a="(0, inf)",
            c="(0, inf)",
            r="(0, inf)",
            s="(0, 1]",
        ),
    ),
)
