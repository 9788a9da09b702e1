"""Lemma de-lower-bound-pan-2."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Repair, Statement, Step
from proofs.steps import exhaustive, smt


def constant_answer(says: str, k: int, constants: list[Fraction], least_k_eps: int = 0) -> Step:
    """No private algorithm errs by less than c sqrt(k/eps), for one of the constants c and every eps <= 1.

    The algorithm that always answers (k+1)/2 is (0, 0)-pan-private, whatever n is, and errs by at most (k-1)/2.  For
    the constant c, eps = c^2/k is small enough (if k eps may be that small).
    """

    def beaten(c: Fraction) -> bool:
        eps = max(min(Fraction(1), c * c / k), Fraction(least_k_eps, k))
        return Fraction(k - 1, 2) ** 2 < c * c * k / eps

    return exhaustive(
        says,
        lambda c: not beaten(c),
        constants,
        lambda c: (
            f"c = {c}: k = {k}, eps = {min(Fraction(1), c * c / k)}, any n >= k/eps, delta = 0: the constant answer {Fraction(k + 1, 2)} "
            f"errs by at most {Fraction(k - 1, 2)}, less than c sqrt(k/eps)"
        ),
    )


CONSTANTS = [Fraction(1), Fraction(1, 1000)]

STATEMENT = Statement(
    label="lem:de-lower-bound-pan-2",
    where="section 3.2, Lemma de-lower-bound-pan-2",
    kind="lemma",
    printed=(
        "Let eps <= 1, delta = O(eps/n), beta < 0.1. If an (eps, delta)-pan-private Q solves the (alpha, beta)-distinct elements problem on length "
        "n >= k/eps, then alpha = Omega(sqrt(k/eps))."
    ),
    covers=("lem:de-lower-bound-pan-2",),
    steps=(
        constant_answer(
            "for k = 2 and the constants 1 and 1/1000: alpha >= c sqrt(k/eps) for every eps <= 1", 2, CONSTANTS
        ),
    ),
    why=(
        "D(x) is between 1 and k, so the constant answer (k+1)/2 errs by less than k/2, and with eps below 1/k that is less than sqrt(k/eps). The "
        "reduction works on the domain [k eps], which must be large."
    ),
    repair=Repair(
        "The same for k eps above a constant, on the cited Lemma de-lower-bound-pan on the domain [k eps].",
        (
            smt(
                "a >= c*r/s",
                ("a*s^2 >= c*r*s",),
                says="alpha eps >= c sqrt(k eps) gives alpha >= c sqrt(k/eps), r = sqrt(k), s = sqrt(eps)",
                a="(0, inf)",
                c="(0, inf)",
                r="(0, inf)",
                s="(0, 1]",
            ),
            smt(
                "n1/e >= k",
                ("n1 >= k*e",),
                says="the stream handed to Q has n'/eps >= k elements",
                n1="(0, inf)",
                e="(0, 1]",
                k="[1, inf)",
            ),
        ),
        ("distinct-lower-bound-pan", "group-privacy-step"),
    ),
    survives="Theorem de-lower-bound inherits the missing hypothesis; so does Figure 1.",
    twins=(
        constant_answer("the same for k = 3", 3, CONSTANTS),
        constant_answer("with k eps >= 1 and the constant 1, k = 2", 2, [Fraction(1)], 1),
    ),
)
