"""Corollary on P_HDE, Part II: accuracy."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import computed, kernel, kernel_refutation, smt
from panshuffle.symbolic.decision import Decision, Status

EXP_EPS, BETA = Fraction(2), Fraction(1, 2)


def failure(c: int, alpha: object) -> Fraction:
    """P[|z - 1| > alpha] for one user, k' = c pools and e^eps = 2; a single element never collides."""
    from panshuffle.exact.real import Real

    assert isinstance(alpha, Real)
    p = 1 / (2 * EXP_EPS)
    total = Fraction(0)
    for one in (0, 1):
        for x in range(c):
            z = (2 * (one + x) * EXP_EPS - c) / (EXP_EPS - 1)
            if (alpha - abs(z - 1)).ball(64) < 0:
                total += Fraction(1, 2) * comb(c - 1, x) * p**x * (1 - p) ** (c - 1 - x)
    return total


def accurate(c: int, inside: str) -> Decision:
    """Whether alpha = 2/(c beta) + 2 sqrt(2 (inside) ln(4/beta)) has failure probability at most beta."""
    from panshuffle.exact.real import parse

    alpha = parse(f"2/({c}*{BETA}) + 2*sqrt(2*({inside})*log(4/({BETA})))")
    bad = failure(c, alpha)
    text = f"n = 1, c = {c}, e^eps = 2, beta = 1/2: P[|z - D| > alpha] is {float(bad):.3f}, above 1/2"
    if bad > BETA:
        return Decision(Status.REFUTED, "exact rational computation", text)
    return Decision(Status.PROVED, "exact rational computation")


def at(says: str, c: int, inside: str) -> Step:
    """The claim at one user and one c."""
    return computed(says, lambda: accurate(c, inside), second="none is needed: all outcomes, in rationals", whole=True)


STATEMENT = Statement(
    where="Appendix A.2, Corollary on P_HDE, Part II, and its proof",
    kind="corollary",
    printed="For a constant c >= 1, n, k with k >= c n^(4/3) rounded up, and a 2-universal family to [c n^(4/3) rounded up], P_HDE solves the (alpha, beta)-distinct elements problem for alpha = 2n^(2/3)/(c beta) + e^eps/(e^eps-1) "
    "sqrt(2(n^(4/3)+1) ln(4/beta)).",
    hypotheses=("eps > 0, delta in (0,1), beta in (0,1)",),
    reading="P_MOD is the protocol of Theorem ikos, as for P_DE.",
    covers=("display-46", "display-47"),
    steps=(kernel_refutation("paper-cor-hde-ii", "n = 1, c = 32, e^eps = 2, beta = 1/2, 32 pools, h the identity"),),
    severity="constant",
    why="P_DE runs on k' >= c n^(4/3) pools, but the noise term has n^(4/3)+1 in place of c n^(4/3)+1: the constant c is lost.",
    repair=Repair(
        "alpha = 2n^(2/3)/(c beta) + e^eps/(e^eps-1) sqrt(2(c n^(4/3)+1) ln(4/beta)); at c = 1 nothing changes.",
        (kernel("paper-cor-hde-ii-repaired"),),
    ),
    survives="The O(n^(2/3)) for constant c, beta and eps survives: c n^(4/3) + 1 <= 2c n^(4/3).",
    constants=(
        Constant(
            "2",
            slack="the collision term uses E[X] <= |S|^2/k', of which half suffices; the noise term is that of distinct-accuracy, not claimed to be tight",
        ),
        Constant("4", slack="ln(4/beta) is the union bound's, not claimed to be tight"),
    ),
    twins=(
        at("the corollary at c = 50", 50, "1 + 1"),
        smt(
            "2*k1*L <= 2*(c*r^4)*L",
            ("k1 <= c*r^4 + 1",),
            says="the repair without the + 1",
            r="[1, inf)",
            c="[1, inf)",
            k1="[1, inf)",
            L="[0, inf)",
        ),
    ),
    rests_on=("distinct-accuracy",),
)
