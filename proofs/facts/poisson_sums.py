"""Sums of binomial and of Poisson variables, and Poisson thinning."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

from panshuffle.proofs.finite import binomial, image, independent
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

THIRDS = [Fraction(x, 3) for x in range(1, 6)]


def weight(x: int, mu: Fraction) -> Fraction:
    """mu^x/x!, the Poisson mass without e^-mu."""
    return mu**x / factorial(x)


def sums(says: str, factor: Fraction = Fraction(1)) -> Step:
    """Pois(a) + Pois(b) = Pois(factor (a + b)), mass by mass; e^-a e^-b = e^-(a+b) is common to both sides."""
    cases = [(x, a, b) for x in range(8) for a in THIRDS for b in THIRDS]
    return exhaustive(
        says,
        lambda case: (
            sum((weight(y, case[1]) * weight(case[0] - y, case[2]) for y in range(case[0] + 1)), Fraction(0))
            == weight(case[0], factor * (case[1] + case[2]))
        ),
        cases,
        lambda case: f"mass at {case[0]} of Pois({case[1]}) + Pois({case[2]})",
    )


def thinning(says: str, p: Fraction) -> Step:
    """Ones and zeros of Bin(Pois(mu), 1/2) are independent Pois(mu p) and Pois(mu (1-p)), mass by mass."""
    cases = [(x, y, mu) for x in range(6) for y in range(6) for mu in THIRDS]
    return exhaustive(
        says,
        lambda case: (
            weight(case[0] + case[1], case[2]) * Fraction(comb(case[0] + case[1], case[0]), 2 ** (case[0] + case[1]))
            == weight(case[0], case[2] * p) * weight(case[1], case[2] * (1 - p))
        ),
        cases,
        lambda case: f"{case[0]} ones and {case[1]} zeros at mean {case[2]}",
    )


def binomials(says: str, second: Fraction) -> Step:
    """Bin(a, p) + Bin(b, second) = Bin(a + b, p)."""
    cases = [(a, b, Fraction(p, 4)) for a in range(4) for b in range(4) for p in range(5)]
    return exhaustive(
        says,
        lambda case: (
            {
                x: m
                for x, m in image(
                    independent(binomial(case[0], case[2]), binomial(case[1], case[2] * second)), sum
                ).items()
                if m
            }
            == {x: m for x, m in binomial(case[0] + case[1], case[2]).items() if m}
        ),
        cases,
        lambda case: f"a = {case[0]}, b = {case[1]}, p = {case[2]}",
    )


STATEMENT = Statement(
    where="section 4.1, 'both the binomial and Poisson distribution are closed under summation', and the display after it",
    kind="display",
    printed="sum of Bin(a_i, p) = Bin(sum of a_i, p); sum of Pois(lambda_i) = Pois(sum of lambda_i); "
    "c_j + sum over gamma n users of Bin(Pois(lambda/n), 1/2) = c_j + Bin(Pois(gamma lambda), 1/2).",
    covers=("display-18", "display-19"),
    reading="A sum of laws is the law of the sum of independent variables; gamma n is a whole number, as section 2.3 assumes.",
    steps=(kernel("paper-poisson-sums"),),
    twins=(
        binomials("with another p in the second term", Fraction(1, 2)),
        sums("with mean 0.99 (a + b)", Fraction(99, 100)),
        thinning("with means 0.49 mu and 0.51 mu", Fraction(49, 100)),
    ),
)
