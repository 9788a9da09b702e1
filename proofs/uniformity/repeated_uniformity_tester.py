"""r copies of a tester: the majority errs with at most e^(-r/18)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, smt


def tail(r: int, votes: int) -> Fraction:
    """P[Bin(r, 1/3) >= votes]."""
    return sum((Fraction(comb(r, i) * 2 ** (r - i), 3**r) for i in range(votes, r + 1)), Fraction(0))


def fewest_votes(says: str, table: dict[int, int]) -> Step:
    """The least number of votes with P[Bin(r, 1/3) >= votes] <= 1/3."""
    third = Fraction(1, 3)
    return exhaustive(
        says,
        lambda case: tail(*case) <= third and (case[1] == 1 or tail(case[0], case[1] - 1) > third),
        list(table.items()),
        lambda case: (
            f"{case[0]} copies, {case[1]} votes: {tail(*case)}, and {tail(case[0], case[1] - 1)} with one less"
        ),
    )


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="beside Theorem ut-app-upper-bound: '(with a constant number of repetitions)'",
    kind="sharper",
    printed=(
        "r independent copies of a tester, each with Pois(m/r) samples and errors of at most 1/3, of which more than half have to say 'not uniform': "
        "both errors are at most e^(-r/18). If a copy says 'not uniform' with probability at most p on U and at least p + Delta on far "
        "distributions, and r(p + Delta/2) votes are asked for, both errors are at most e^(-r Delta^2/2)."
    ),
    hypotheses=(
        "n ~ Pois(m) samples, each of which goes to a copy drawn by public randomness, independently of the others",
        "noise and partition of each copy are its own",
    ),
    rests_on=("hoeffding", "poissonization"),
    steps=(
        identity(
            "exp(m*(x/r + (r - 1)/r*y - 1)) = exp(m/r*(x - 1))*exp(m*(r - 1)/r*(y - 1))",
            says="thinning: the samples of one copy and of the others are independent, Pois(m/r) and Pois(m - m/r)",
            m="(0, inf)",
            r="[1, inf)",
            x="(0, inf)",
            y="(0, inf)",
        ),
        identity(
            "r*(4*t/r)^2/8 - (4*t/r)*t = -2*t^2/r",
            says="Hoeffding, one side: each factor is at most e^(ps + s^2/8), s = 4t/r, so P[C >= E[C] + t] <= e^(-2t^2/r)",
            r="[1, inf)",
            t="[0, inf)",
        ),
        smt(
            "2*t^2/r >= r/18",
            ("t >= r/2 - r*p", "p <= 1/3"),
            says="the majority: a count of r/2 is t >= r/6 above its mean r p, and in the same way below r(1 - p)",
            r="[1, inf)",
            t="[0, inf)",
            p="[0, 1]",
        ),
        identity(
            "2*(r*D/2)^2/r = r*D^2/2", says="a separation Delta: t = r Delta/2 on both sides", r="[1, inf)", D="(0, 1]"
        ),
        fewest_votes(
            "exactly: the fewest votes that keep the type I error at 1/3, r = 1, 2, 3, 5, 9, 15",
            {1: 1, 2: 2, 3: 2, 5: 3, 9: 5, 15: 7},
        ),
    ),
    argument=(
        "Each of Pois(m) samples goes to copy 1, ..., r with probability 1/r, so the counts of the pairs (copy, element) are those of Poissonization with the probabilities p_j/r: the copies have independent samples, Pois(m/r) each; the first step is this for one copy and the rest. Noise and partitions are independent, too, so the r votes are independent. Let C be the number of "
        "votes for 'not uniform'. On U its mean is at most r/3 and a majority is at least r/6 above it; on far D the mean is at least 2r/3 and no majority is at least r/6 below it. By Hoeffding's inequality, one side, both have probability at most e^(-2(r/6)^2/r) = e^(-r/18): the second and third steps. With a separation Delta and r(p + Delta/2) votes the deviation is r Delta/2: the fourth."
    ),
    constants=(Constant("18", twin="with e^(-r/17.5)", by="17.5"),),
    twins=(
        smt(
            "2*t^2/r >= r/17.5",
            ("t >= r/2 - r*p", "p <= 1/3"),
            says="with e^(-r/17.5)",
            r="[1, inf)",
            t="[0, inf)",
            p="[0, 1]",
        ),
        fewest_votes("with four votes of nine", {9: 4}),
        identity(
            "exp(m*(x/r + (r - 1)/r*y - 1)) = exp(m*(x - 1))*exp(m*(r - 1)/r*(y - 1))",
            says="each copy has Pois(m) samples",
            m="(0, inf)",
            r="[1, inf)",
            x="(0, inf)",
            y="(0, inf)",
        ),
    ),
)
