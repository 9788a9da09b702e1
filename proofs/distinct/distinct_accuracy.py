"""Theorem de_upper, Part II: the accuracy of P_DE."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, identity


def moments(says: str, mean: Fraction = Fraction(0)) -> Step:
    """The exact mean of z is D, C being a sum of D fair bits and k-D bits that are 1 with probability 1/(2E)."""
    cases = [(k, d, Fraction(e, 2)) for k in (1, 2, 3) for d in range(k + 1) for e in (3, 4, 7)]

    def expectation(case: tuple[int, int, Fraction]) -> Fraction:
        k, d, exp_eps = case
        p = 1 / (2 * exp_eps)
        total = Fraction(0)
        for a in range(d + 1):
            for b in range(k - d + 1):
                mass = Fraction(comb(d, a), 2**d) * comb(k - d, b) * p**b * (1 - p) ** (k - d - b)
                total += mass * (2 * (a + b) * exp_eps - k) / (exp_eps - 1)
        return total

    return exhaustive(
        says,
        lambda case: expectation(case) == case[1] + mean,
        cases,
        lambda case: f"k = {case[0]}, D = {case[1]}, e^eps = {case[2]}: the mean is {expectation(case)}",
    )


STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, Theorem de_upper, Part II, and its proof",
    kind="theorem",
    printed=(
        "E[C] = D/2 + (k-D)/(2e^eps), so E[z] = D, and P[|z - D| > e^eps/(e^eps-1) sqrt(2k ln(2/beta))] <= beta if all n users are honest."
    ),
    hypotheses=("eps > 0", "beta in (0,1)", "all n users follow the protocol"),
    covers=("display-15",),
    rests_on=("distinct-ber", "hoeffding"),
    steps=(
        identity(
            "(2*(d/2 + (k - d)/(2*E))*E - k)/(E - 1) = d",
            says="E[z] = D, with E = e^eps",
            d="[0, inf)",
            k="[1, inf)",
            E="(1, inf)",
        ),
        identity(
            "2*E/(E - 1)*sqrt(k/2*log(2/b)) = E/(E - 1)*sqrt(2*k*log(2/b))",
            says="|z - D| is 2E/(E-1) times |C - E[C]|, and t = sqrt(k ln(2/beta)/2)",
            E="(1, inf)",
            k="[1, inf)",
            b="(0, 1)",
        ),
        identity("2*exp(-2*(k/2*log(2/b))/k) = b", says="Hoeffding at that t gives beta", k="[1, inf)", b="(0, 1)"),
        moments("the exact mean of z is D, for k <= 3, every D and e^eps in {3/2, 2, 7/2}"),
    ),
    twins=(
        identity("2*exp(-2*(k/2*log(1/b))/k) = b", says="with ln(1/beta)", k="[1, inf)", b="(0, 1)"),
        moments("with bias 1/100", Fraction(1, 100)),
    ),
)
