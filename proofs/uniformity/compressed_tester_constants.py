"""The compressed tester with explicit constants: at most five copies, and one copy from ten groups on."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, identity, smt

SIZES = {
    "k": "[2, inf)",
    "r": "[1, inf)",
    "q": "[1, inf)",
    "m": "(0, inf)",
    "a": "(0, 1)",
    "lam": "[1, inf)",
    "s": "[1, inf)",
    "g": "[1, inf)",
    "f": "[1, inf)",
}
ROOTS = ("r^2 = k", "q^2 = r", "s^2 = lam", "f^2 = g")
ENOUGH = ("m*a^2 >= 54*g*r", "m*a >= 4*f*r*q*s")
FALSE, FOUND = Fraction(1, 21), Fraction(9, 41) * Fraction(20, 21)


def one_vote(says: str, copies: int, found: Fraction = FOUND) -> Step:
    """With this many copies and one vote both errors are at most 1/3."""
    return exhaustive(
        says,
        lambda r: 1 - (1 - FALSE) ** r <= Fraction(1, 3) and (1 - found) ** r <= Fraction(1, 3),
        [copies],
        lambda r: (
            f"{r} copies: the errors are {float(1 - (1 - FALSE) ** r):.4f} and {float((1 - found) ** r):.4f} at the bounds"
        ),
    )


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="beside Theorem ut-app-upper-bound",
    kind="sharper",
    printed=(
        "Let h >= 2 groups of equal size s >= 2 partition [K], alpha^ = alpha sqrt((h-1)/(4K)), and for each copy of P_UT on the groups, with a "
        "partition of its own and Pois(m) samples, let m >= 540 h^(1/2)/alpha^^2, m >= 4 (10 lambda)^(1/2) h^(3/4)/alpha^, lambda >= 1 and "
        "tau = h^2 lambda/(4m) + (h/m) sqrt(20 V0), V0 = h(2(m/h + lambda/4)^2 + 5 lambda/16). Five copies of which one has to say 'not uniform' "
        "solve alpha-uniformity testing over [K], both errors at most 1/3; for h >= 10 one copy does."
    ),
    hypotheses=(
        "alpha in (0,1), lambda >= 1, groups of equal size",
        "the randomizer appends its data message; all users are honest, and for n = 0 the analyzer adds the noise (no-samples)",
        "the copies have independent samples, noise and partitions",
    ),
    rests_on=("compression-moments", "uniformity-tester-theorem", "cantelli", "compression-keeps-uniform"),
    steps=(
        identity(
            "v/(v + (sqrt(2*g*v))^2) = 1/(1 + 2*g)",
            says="type I of a copy, Cantelli at sqrt(2 g V0): 1/21 for g = 10",
            v="(0, inf)",
            g="[1, inf)",
        ),
        smt(
            "v/(v + t^2) <= 1/(1 + 2*g)",
            ("t^2 >= 2*g*v",),
            says="type II on a good partition: Cantelli at S - sqrt(2 g V0) >= sqrt(2 g Var)",
            v="(0, inf)",
            t="(0, inf)",
            g="[1, inf)",
        ),
        smt(
            "S - x >= y",
            ("3*2*x <= S", "y <= x + z + w", "3*z <= S", "3*w <= S"),
            says=(
                "which holds if S >= 6x, 3z and 3w, x = sqrt(2 g V0), z = sqrt(2g(2 + 4 mu + lambda) S), w = sqrt(8g) S^(3/4): "
                "sqrt(2 g Var) <= x + z + w by the variance of uniformity-tester-theorem"
            ),
            S="(0, inf)",
            x="[0, inf)",
            y="[0, inf)",
            z="[0, inf)",
            w="[0, inf)",
        ),
        smt(
            "2*g*(A*S)*9 <= S^2",
            ("S >= 18*g*A",),
            says="3z <= S if S >= 18g(2 + 4 mu + lambda)",
            A="(0, inf)",
            S="(0, inf)",
            g="[1, inf)",
        ),
        smt(
            "3*u <= b",
            ("u^2 = 8*g", "b^2 >= 72*g"),
            says="3w <= S if S >= 5184 g^2, b = S^(1/4), u = sqrt(8g)",
            u="(0, inf)",
            b="(0, inf)",
            g="[1, inf)",
        ),
        smt(
            "4*a^2*m^2/k >= 18*g*(2 + 4*m/k + lam)",
            (*ROOTS, *ENOUGH),
            says="S >= 4 alpha^^2 m^2/h, by compression-moments, is at least 18g(2 + 4 mu + lambda); k stands for h, a for alpha^",
            **SIZES,
        ),
        smt("4*a^2*m^2/k >= 5184*g^2", (*ROOTS, *ENOUGH), says="and at least 5184 g^2", **SIZES),
        smt(
            "4*a^2*m^2/k >= 6*f*r*(2*m/k + lam/2 + s)",
            (*ROOTS, *ENOUGH),
            says="and at least 6 sqrt(g h)(2 mu + lambda/2 + sqrt(lambda)), which is at least 6x as in uniformity-tester-theorem",
            **SIZES,
        ),
        smt(
            "9*(h - 1)/(9*(h - 1) + 32) >= 9/41",
            says="a partition is good with probability 9/41 at least",
            h="[2, inf)",
        ),
        one_vote("five copies: 1 - (20/21)^5 <= 1/3 and (1 - 9/41 * 20/21)^5 <= 1/3", 5),
        smt("x^5 <= y^5", ("x <= y",), says="and fewer misses or false votes are better", x="[0, 1]", y="[0, 1]"),
        smt(
            "9*(h - 1)/(9*(h - 1) + 32)*(20/21) >= 2/3",
            says="one copy for h >= 10; its type I error is 1/21",
            h="[10, inf)",
        ),
    ),
    twins=(
        one_vote("four copies", 4),
        smt("9*(h - 1)/(9*(h - 1) + 32)*(20/21) >= 2/3", says="one copy for h >= 9", h="[9, inf)"),
        smt(
            "4*a^2*m^2/k >= 5184*g^2",
            (*ROOTS, "m*a^2 >= 35*g*r", "m*a >= 4*f*r*q*s"),
            says="with m >= 350 h^(1/2)/alpha^^2",
            **SIZES,
        ),
    ),
)
