"""Figure 1, pan and robust shuffle, distinct elements, lower bounds."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.lower_bounds.distinct_lower_bound_pan_2 import constant_answer
from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, smt


def few_users(says: str, n: int, k: int, c: Fraction) -> Step:
    """With n users D is between 1 and n: the constant answer (n+1)/2 errs by at most (n-1)/2, against c sqrt(k), eps = 1."""
    return exhaustive(
        says,
        lambda _: Fraction(n - 1, 2) ** 2 >= c * c * k,
        [0],
        lambda _: (
            f"n = {n}, eps = 1, k = {k}: the constant answer errs by at most {Fraction(n - 1, 2)}, less than {c} sqrt(k)"
        ),
        whole=True,
    )


STATEMENT = Statement(
    where="Figure 1, pan and robust shuffle, distinct elements, lower bounds; section 1.1, first item",
    kind="figure",
    printed=(
        "Pan and robust shuffle, distinct elements: additive error Omega(sqrt(k)/sqrt(eps)), for eps = O(1) and delta < 1/n < eps; section 1.1 adds: when the "
        "number of users n >= k."
    ),
    reading="n >= k, as section 1.1 says (with two users and large k a constant answer errs by 1/2), and gamma = 1/3 in the robust shuffle model.",
    steps=(
        constant_answer(
            "some constant c > 0 has alpha >= c sqrt(k/eps) for every k, n >= k and eps <= 1 with 1/n < eps"
        ),
    ),
    why=(
        "A constant answer errs by less than k/2, so nothing above that is a lower bound: sqrt(k/eps) is meant for k eps above a constant. "
        "(n >= k and delta = O(1/n) are enough beside that.)"
    ),
    severity="false",
    referee="As for the theorem behind the cell: eps may go to 0 with k as far as is printed, 1/n < eps included, and then a constant answer is better however large k is.",
    repair=Repair(
        "For k eps above a constant and beta < 0.1, with n >= k (n >= 3k in the robust shuffle model) and delta = O(1/n), on the cited lower bound of Mir et al.",
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
        ("distinct-lower-bound-hypotheses", "distinct-lower-bound-pan"),
        argument="For eps <= 1 both cells are distinct-lower-bound-hypotheses, whose conditions are the ones said here. For 1 < eps <= c, a constant, the cited lemma on pan-private algorithms itself (distinct-lower-bound-pan), which is for every constant loss, gives Omega(sqrt(k)), which is Omega(sqrt(k/eps)); in the robust shuffle model through the transformation, as there.",
    ),
    survives="The tight dependence on k stands for n >= 3k and k eps large.",
    twins=(
        few_users("without n >= k: n = 2, eps = 1, k = 10^8, with the constant 1/1000", 2, 10**8, Fraction(1, 1000)),
        few_users("without n >= k: n = 10, k = 10^6, with the constant 1/100", 10, 10**6, Fraction(1, 100)),
        smt("n*e >= k", ("n >= k",), says="n >= k gives n eps >= k", n="(0, inf)", k="[1, inf)", e="(0, 1]"),
    ),
)
