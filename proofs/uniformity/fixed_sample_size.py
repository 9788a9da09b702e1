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
        "Let r >= 1 copies of P_UT, on elements or on groups, with independent Pois(m) samples each, have errors of at most e_1 and e_2. Let n >= 100 r m users hold one sample each. By coins of their own each user takes part with probability r m/n and then chooses a copy, each with probability 1/r; sends one data message to every pool of every copy, "
        "1 for the own element in the chosen copy and 0 otherwise; and adds Pois(lambda/n) fair bits to every pool of every copy. All users run the same randomizer. The errors are at most e_i + 1/100, and the privacy is that of P_UT with the same lambda and gamma, robustness included."
    ),
    hypotheses=("gamma n >= 1 is a whole number", "m >= 1, r a whole number"),
    rests_on=(
        "binomial-poisson-distance",
        "poissonization",
        "uniformity-worst-neighbour",
        "common-factor",
        "poisson-sums",
    ),
    steps=(
        identity(
            "n*(r*m/n)/r = m",
            says="a copy has m users who take part, in the mean",
            n="[1, inf)",
            r="[1, inf)",
            m="[1, inf)",
        ),
        smt(
            "r*m/n <= 1/100",
            ("n >= 100*r*m",),
            says="their number is within 1/100 of Poisson",
            n="[1, inf)",
            r="[1, inf)",
            m="[1, inf)",
        ),
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
        smt(
            "w*(p - E*q) + (1 - w)*(x - E*y) <= d",
            ("p - E*q <= d", "x - E*y <= d"),
            says="an event under a mixture: two parts that are each (eps, delta)-close, with the same weights",
            w="[0, 1]",
            p="[0, 1]",
            q="[0, 1]",
            x="[0, 1]",
            y="[0, 1]",
            E="[1, inf)",
            d="[0, 1]",
        ),
    ),
    argument=(
        "Accuracy, all users honest: every pool has exactly n data messages, so A_UT computes l_j, which is Pois(lambda), and c_j, the number of users who chose the copy and hold j. The number of users who take part is Bin(n, rm/n), within rm/n <= 1/100 of Pois(rm) in total variation; given that number the users' copies and elements are independent draws in both cases, so the laws of all counts are within 1/100, too. "
        "With Pois(rm) of them Poissonization over the pairs (copy, element) makes the counts independent Pois(m p_j): the copies of the hypothesis. So the errors grow by at most 1/100. Privacy: fix the coins of the changed user, who goes from a to b. Not taking part, or with a and b in one group, nothing changes; otherwise the pools of a and b in the chosen copy shift by one as in P_UT, each with noise from all gamma n users who take part in the protocol, and all others are a common factor. "
        "The coins have the same law before and after, so the view is a mixture, with the same weights, of pairs that are each as close as those of P_UT: the last step, used for each value of the coins. (If a fixed set of users alone added noise and the others none, dropouts could leave too little: the twins.)"
    ),
    constants=(Constant("100", slack="100 is one choice: n >= c r m adds 1/c to the errors"),),
    twins=(
        smt("r*m/n <= 1/100", ("n >= 99*r*m",), says="with n >= 99 r m", n="[1, inf)", r="[1, inf)", m="[1, inf)"),
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
    ),
)
