"""Figure 1, pan and robust shuffle, distinct elements, lower bounds."""

from __future__ import annotations

from fractions import Fraction

from proofs.lower_bounds.distinct_lower_bound_pan_2 import CONSTANTS, constant_answer
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
        constant_answer("n >= k, k = 2, with the constants 1 and 1/1000", 2, CONSTANTS),
    ),
    why="The theorems need n >= k/eps (3k/eps), delta = O(eps/n) and k eps above a constant, which neither the figure nor section 1.1 says.",
    repair=Repair(
        "Under the hypotheses of Lemma de-lower-bound-pan-2 and Theorem de-lower-bound as repaired.",
        (
            smt(
                "n >= k",
                ("n >= 3*k/e",),
                says="n >= 3k/eps is more than n >= k",
                n="(0, inf)",
                k="[1, inf)",
                e="(0, 1]",
            ),
        ),
        ("distinct-lower-bound-pan-2", "distinct-lower-bound"),
    ),
    survives="The tight dependence on k stands for n >= 3k/eps and k eps large.",
    twins=(
        few_users("n = 10, k = 10^6, with the constant 1/100", 10, 10**6, Fraction(1, 100)),
        smt("n >= 3*k/e", ("n >= k",), says="n >= k is enough", n="(0, inf)", k="[1, inf)", e="(0, 1]"),
    ),
)
