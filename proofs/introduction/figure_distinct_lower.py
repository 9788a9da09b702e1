"""Figure 1, pan and robust shuffle, distinct elements, lower bounds."""

from __future__ import annotations

from fractions import Fraction

from proofs.lower_bounds.distinct_lower_bound_pan_2 import constant_answer
from proofs.statement import Repair, Statement, Step
from proofs.steps import exhaustive, smt


def few_users(says: str, n: int, k: int, c: Fraction) -> Step:
    """With n users D is between 1 and n: the constant answer (n+1)/2 errs by at most (n-1)/2, against c sqrt(k), eps = 1."""
    return exhaustive(
        says,
        lambda _: Fraction(n - 1, 2) ** 2 >= c * c * k,
        [0],
        lambda _: (
            f"n = {n}, eps = 1, k = {k}: the constant answer errs by at most {Fraction(n - 1, 2)}, less than {c} sqrt(k)"
        ),
    )


STATEMENT = Statement(
    where="Figure 1, pan and robust shuffle, distinct elements, lower bounds (also the abstract and section 1.1)",
    kind="figure",
    printed="The error is Omega(sqrt(k)/sqrt(eps)), with eps = O(1) and delta < 1/n < eps as the only conditions (section 1.1 adds n >= k).",
    steps=(
        few_users("n = 2, eps = 1, k = 10^8, with the constant 1/1000", 2, 10**8, Fraction(1, 1000)),
        constant_answer("with n >= k: some constant c > 0 has alpha >= c sqrt(k/eps) for every k and eps <= 1"),
    ),
    why="With fewer users than elements, or k eps small, a constant answer is better. (n >= k and delta < 1/n are enough beside that: distinct-lower-bound-hypotheses.)",
    repair=Repair(
        "For n >= k (n >= 3k in the robust shuffle model) and k eps above a constant, with delta = O(1/n).",
        (
            smt(
                "n*e >= k*e",
                ("n >= k",),
                says="n >= k gives the reduction its length n eps >= k eps",
                n="(0, inf)",
                k="[1, inf)",
                e="(0, 1]",
            ),
        ),
        ("distinct-lower-bound-hypotheses",),
    ),
    survives="The tight dependence on k stands for n >= 3k and k eps large.",
    twins=(
        few_users("n = 10, k = 10^6, with the constant 1/100", 10, 10**6, Fraction(1, 100)),
        smt("n*e >= k", ("n >= k",), says="n >= k gives n eps >= k", n="(0, inf)", k="[1, inf)", e="(0, 1]"),
    ),
)
