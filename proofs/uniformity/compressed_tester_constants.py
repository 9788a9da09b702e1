"""The compressed tester with explicit constants: at most five copies, and one copy from ten groups on."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt

FALSE, FOUND = Fraction(1, 21), Fraction(9, 41) * Fraction(20, 21)


def one_vote(says: str, copies: int, found: Fraction = FOUND) -> Step:
    """With this many copies and one vote the errors are at most 22/100 and 31/100."""
    return exhaustive(
        says,
        lambda r: 1 - (1 - FALSE) ** r <= Fraction(22, 100) and (1 - found) ** r <= Fraction(31, 100),
        [copies],
        lambda r: (
            f"{r} copies: the errors are {float(1 - (1 - FALSE) ** r):.4f} and {float((1 - found) ** r):.4f} at the bounds"
        ),
        whole=True,
    )


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="beside Theorem ut-app-upper-bound",
    kind="sharper",
    printed=(
        "Let h >= 2 groups of equal size s >= 2 partition [K], alpha^ = alpha sqrt((h-1)/(4K)), and for each copy of P_UT on the groups, with a "
        "partition of its own and Pois(m) samples, let m >= 540 h^(1/2)/alpha^^2, m >= 4 (10 lambda)^(1/2) h^(3/4)/alpha^, lambda >= 1 and "
        "tau = h^2 lambda/(4m) + (h/m) sqrt(20 V0), V0 = h(2(m/h + lambda/4)^2 + 5 lambda/16). Five copies of which one has to say 'not uniform' "
        "solve alpha-uniformity testing over [K], with errors of at most 22/100 on U and 31/100 on far D; for h >= 10 one copy does, with errors of at most 1/21 and 1/3."
    ),
    hypotheses=(
        "alpha in (0,1), lambda >= 1, groups of equal size",
        "the randomizer appends its data message; all users are honest, and for n = 0 the analyzer adds the noise",
        "the copies have independent samples, noise and partitions",
    ),
    rests_on=("compression-moments", "uniformity-tester-theorem", "compression-keeps-uniform:repaired"),
    steps=(
        identity("1/(1 + 2*10) = 1/21", says="the theorem on the groups, with g = 10"),
        smt(
            "9*(h - 1)/(9*(h - 1) + 32) >= 9/41",
            says="a partition is good with probability 9/41 at least",
            h="[2, inf)",
        ),
        one_vote("five copies: 1 - (20/21)^5 <= 22/100 and (1 - 9/41 * 20/21)^5 <= 31/100", 5),
        smt("x^5 <= y^5", ("x <= y",), says="and fewer misses or false votes are better", x="[0, 1]", y="[0, 1]"),
        smt(
            "9*(h - 1)/(9*(h - 1) + 32)*(20/21) >= 2/3",
            says="one copy for h >= 10; its type I error is 1/21",
            h="[10, inf)",
        ),
    ),
    argument=(
        "A copy runs P_UT on h groups with m and tau of uniformity-tester-theorem for k = h, alpha = alpha^ and g = 10: 54 g = 540 and 4 g^(1/2) = 4 sqrt(10). On U the groups are uniform, because they have equal size, so a copy says 'not uniform' with probability at most 1/21. On D at total variation alpha or more the partition is good, that is the sum of (D_G(j) - 1/h)^2 is above 4 alpha^^2/h, with "
        "probability at least 9(h-1)/(9(h-1) + 32) >= 9/41 by compression-moments, and then the copy says 'uniform' with probability at most 1/21; so it says 'not uniform' with probability at least 9/41 * 20/21. The five copies are independent: on U none says 'not uniform' with probability at least (20/21)^5, on D with at most (1 - 9/41 * 20/21)^5."
    ),
    constants=(
        Constant("5", slack="five copies are the fewest for these bounds: four are refuted"),
        Constant(
            "540",
            slack="54 g with g = 10: as in uniformity-tester-theorem, 400 would do in its steps and 350 would not",
        ),
        Constant("9", twin="one copy for h >= 9.2", by="9.2"),
    ),
    twins=(
        one_vote("four copies", 4),
        smt("9*(h - 1)/(9*(h - 1) + 32)*(20/21) >= 2/3", says="one copy for h >= 9", h="[9, inf)"),
        smt("9*(h - 1)/(9*(h - 1) + 32)*(20/21) >= 2/3", says="one copy for h >= 9.2", h="[9.2, inf)"),
    ),
)
