"""Theorem de_upper, Part II: the accuracy of P_DE."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from proofs.statement import Constant, Statement, Step
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
        "P_DE solves the (alpha, beta)-distinct elements problem for alpha = e^eps/(e^eps-1) sqrt(2k ln(2/beta)): E[C] = D/2 + (k-D)/(2e^eps), so E[z] = D, and "
        "P[|z - D| > alpha] <= beta if all n users follow the protocol."
    ),
    hypotheses=("eps > 0", "beta in (0,1)"),
    reading="P_MOD is the protocol of Theorem ikos, whatever its number m of messages: it outputs the sum mod 2 if all users are honest.",
    covers=("display-15",),
    rests_on=("ikos", "distinct-ber", "or-simulation", "modular-sum-correct", "hoeffding"),
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
    argument=(
        "C_j is the sum mod 2 of the bits u^(j) (modular-sum-correct), so Ber(1/2) if somebody holds j and Ber(1/(2e^eps)) otherwise (or-simulation; distinct-ber with gamma = 1), and the C_j "
        "are independent, because users draw them so. C is a sum of k independent bits with E[C] = D/2 + (k-D)/(2e^eps); z = (2C e^eps - k)/(e^eps - 1) has mean D by the first step and "
        "z - D = 2e^eps/(e^eps-1) (C - E[C]). |z - D| > alpha means |C - E[C]| > t with t = sqrt(k ln(2/beta)/2), the second step; by hoeffding that has probability at most 2e^(-2t^2/k) = beta, the third. "
        "The last step is a check by enumeration."
    ),
    constants=(Constant("2", twin="with ln(1.9/beta)", by="1.9"),),
    twins=(
        identity("2*exp(-2*(k/2*log(1.9/b))/k) = b", says="with ln(1.9/beta)", k="[1, inf)", b="(0, 1)"),
        identity("2*exp(-2*(k/2*log(1/b))/k) = b", says="with ln(1/beta)", k="[1, inf)", b="(0, 1)"),
        moments("with bias 1/100", Fraction(1, 100)),
    ),
)
