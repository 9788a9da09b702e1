"""From Pois(m) samples to a fixed number of users, without loss of robustness."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Constant, Statement, Step
from proofs.steps import exhaustive, identity, smt


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
    where="beside section 4, the paragraph on Poissonization, and Theorem ut-upper-bound-prelim",
    kind="sharper",
    printed=(
        "Let P_UT, or copies of it on groups, have errors of at most e_1 and e_2 with N ~ Pois(m) samples. Let n >= 2m users hold one sample each. Public randomness draws N ~ Pois(m) and N of the n users (if N > n, the answer is 'uniform'). A drawn user sends the data messages of the element, "
        "the others (j, 0) to every pool of their copy, and everybody adds Pois(lambda/n) fair bits to every pool. The errors are at most e_i + 2 e^(-m/4), and the privacy is that of P_UT with the same lambda and gamma, robustness included."
    ),
    hypotheses=("gamma n >= 1 is a whole number", "m >= 1"),
    rests_on=("poisson-concentration", "uniformity-worst-neighbour", "repeated-uniformity-privacy", "poisson-sums"),
    steps=(
        identity("m^2/(2*(m + m)) = m/4", says="P[N > 2m] <= 2 e^(-m/4)", m="[1, inf)"),
        identity(
            "(g*n)*(lam/n) = g*lam",
            says="every pool has noise Pois(gamma lambda), whichever gamma n users take part",
            g="(0, 1]",
            n="[1, inf)",
            lam="(0, inf)",
        ),
        identity(
            "-n + (n + l) = l",
            says="a pool has n data messages and l noise bits, and A_UT finds l",
            n="[1, inf)",
            l="[0, inf)",
        ),
    ),
    argument=(
        "Accuracy: with all users honest a pool of a copy has one data message from each user of the copy, of which c_j are 1, c_j being the number of drawn users of the copy who hold j; so A_UT computes the right l_j, which is Pois(lambda), and c_j. If N <= n, the drawn users hold N independent samples, and the outcome has the law of the analysis. The law of N is Pois(m) up to the event N > n >= 2m, whose probability is at "
        "most 2 e^(-m/4) by the concentration lemma at t = m; so the errors grow by at most that. Privacy: fix the public randomness. The messages of a user who is not drawn do not depend on the data. If a drawn user goes from a to b, the two pools shift by one as in P_UT, and each has noise from all gamma n users who take part, drawn or not. (If only the drawn users took part, the honest ones among them might be too few: the twins.)"
    ),
    constants=(Constant("1/4", twin="with e^(-0.26 m)", by="0.26"),),
    twins=(
        identity("m^2/(2*(m + m)) = 0.26*m", says="with e^(-0.26 m)", m="[1, inf)"),
        drawn_alone("only the drawn users take part: 10 of 20, gamma = 1/2", 20, 10, Fraction(1, 2)),
        smt(
            "(x/n)*lam >= g*lam",
            ("x >= 1", "x <= g*n"),
            says="one honest user of the drawn is enough",
            x="[1, inf)",
            n="[1, inf)",
            g="(0, 1]",
            lam="(0, inf)",
        ),
    ),
)
