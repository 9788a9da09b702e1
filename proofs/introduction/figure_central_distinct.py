"""Figure 1, central, distinct elements."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Repair, Statement, Step
from proofs.steps import exhaustive, inequality, no_constant, smt


def beaten(says: str, k: int, eps: Fraction, c: Fraction) -> Step:
    """Every algorithm errs by at least c/eps for some dataset; the constant answer (k+1)/2 errs by at most (k-1)/2."""
    return exhaustive(
        says,
        lambda _: Fraction(k - 1, 2) >= c / eps,
        [0],
        lambda _: (
            f"k = {k}, eps = {eps}: the constant answer errs by at most {Fraction(k - 1, 2)}, less than ({c})/eps = {c / eps}"
        ),
    )


STATEMENT = Statement(
    where="Figure 1, central, distinct elements",
    kind="figure",
    printed="Central distinct elements: the error is Theta(1/eps), with eps = O(1) and delta < 1/n < eps as the only conditions.",
    rests_on=("geometric-distinct-elements",),
    steps=(
        no_constant(
            "some constant c > 0 bounds the error from below by c/eps for every eps <= 1",
            smt(
                "1/2 < c/c",
                says="k = 2, eps = c: the constant answer 3/2 errs by at most 1/2, less than c/eps = 1, however small c is",
                c="(0, 1]",
            ),
            "c",
            toward="0",
        ),
    ),
    why="D is between 1 and k, so the constant answer errs by less than k/2, which is less than c/eps for small eps; the lower bound needs k >= 1/eps.",
    repair=Repair(
        "O(1/eps) always, by geometric noise; Omega(1/eps) only for k and n above 1/eps.",
        (
            inequality(
                "2*exp(-e)/(1 - exp(-2*e)) <= 1/e",
                says="the mean error of geometric noise is at most 1/eps",
                e="(0, inf)",
            ),
        ),
    ),
    survives="The comparison that the figure makes is for large k.",
    twins=(
        beaten("with k = 3", 3, Fraction(1, 1000), Fraction(1, 100)),
        smt("1/2 < c/e", ("e <= 2.1*c",), says="for eps up to 2.1c", c="(0, inf)", e="(0, 1]"),
    ),
)
