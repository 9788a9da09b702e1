"""Theorem de_upper, Part II: the accuracy of P_DE."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, kernel


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
    printed="P_DE solves the (alpha, beta)-distinct elements problem for alpha = e^eps/(e^eps-1) sqrt(2k ln(2/beta)): E[C] = D/2 + (k-D)/(2e^eps), so E[z] = D, and "
    "P[|z - D| > alpha] <= beta if all n users follow the protocol.",
    hypotheses=("eps > 0", "beta in (0,1)"),
    reading="P_MOD is the protocol of Theorem ikos, whatever its number m of messages: it outputs the sum mod 2 if all users are honest.",
    covers=("display-15",),
    steps=(
        kernel("paper-thm-de-upper-ii"),
        kernel("distinct-mean"),
    ),
    constants=(Constant("2", twin="with ln(1.9/beta)", by="1.9"),),
    twins=(
        identity("2*exp(-2*(k/2*log(1.9/b))/k) = b", says="with ln(1.9/beta)", k="[1, inf)", b="(0, 1)"),
        identity("2*exp(-2*(k/2*log(1/b))/k) = b", says="with ln(1/beta)", k="[1, inf)", b="(0, 1)"),
        moments("with bias 1/100", Fraction(1, 100)),
    ),
)
