"""From Pois(m) samples to a fixed number of users, without loss of robustness."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, inequality, kernel, smt


def drawn_alone(says: str, users: int, drawn: int, gamma: Fraction) -> Step:
    """If only the drawn users take part, their honest fraction is at least gamma when gamma n are honest (it is not)."""
    least = Fraction(max(1, int(gamma * users) - (users - drawn)), drawn)
    return exhaustive(
        says,
        lambda _: least >= gamma,
        [users],
        lambda n: (
            f"n = {n}, {drawn} drawn, gamma = {gamma}: the dropouts may be among the drawn, of whom {least} are honest"
        ),
        whole=True,
    )


STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="beside section 4, the paragraph on Poissonization, and Theorems ut-upper-bound-prelim and ut-app-upper-bound",
    kind="sharper",
    printed=(
        "Let P be P_UT, or P_UT on groups: a user first replaces the own element by a group, drawn by coins of its own from a law that depends on the element and on public coins. Let 0 < m < n be whole numbers, and let n users hold one sample of D each. By a coin of its own each user takes part with probability m/n; who does not sends the data bit 0 to every pool; "
        "all add Pois(lambda/n) fair bits to every pool. Then every event of the answer has at most (n/(n-m))^(1/2) times its probability for independent pools, that is for Pois(m) samples of D with noise Pois(lambda) in every pool even if there is no sample: so at most (n/(n-m))^(1/2) (p + e^-m), p its probability under P with Pois(m) samples. "
        "If lambda >= 2.65 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), this protocol is (2 eps, 4 (delta/2)^gamma, gamma)-robustly shuffle private. "
        "Theorems ut-upper-bound-prelim and ut-app-upper-bound, with the printed privacy and orders, so hold for n users with one sample each, too: there is a protocol that errs with probability at most 1/3 on n samples, n at least a constant times the order."
    ),
    hypotheses=(
        "lambda > 0, at least one group; 0 < eps, 0 < delta < 1, 0 < gamma <= 1",
        "for the theorems eps <= E0, delta <= d0, 0 < alpha < 1 and k >= 1, or k >= 2 for the second; d0 and the constant depend on E0",
    ),
    rests_on=("binomial-poisson-distance",),
    steps=(
        kernel("fixed-samples-pools"),
        kernel("fixed-samples-error"),
        kernel("fixed-samples-private"),
        kernel("paper-thm-ut-upper-bound-prelim-fixed"),
        kernel("paper-thm-ut-app-upper-bound-fixed"),
    ),
    constants=(
        Constant("2.65", slack="the constant of the sharper privacy of P_UT; not tight"),
        Constant("1/3", slack="2/7 holds with the same protocol: an error of 1/5 on independent pools, n >= 2m"),
    ),
    twins=(
        drawn_alone("only drawn users take part: 10 of 20, gamma = 1/2", 20, 10, Fraction(1, 2)),
        smt(
            "(x/n)*lam >= g*lam",
            ("x >= 1", "x <= g*n"),
            says="one honest user of the drawn is enough",
            x="[1, inf)",
            n="[1, inf)",
            g="(0, 1]",
            lam="(0, inf)",
        ),
        inequality("2^(1/2)/4 <= 1/3", says="an error of 1/4 on independent pools, n = 2m"),
    ),
)
