"""Equation var-z-non: the variance of Z when D is far from uniform."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, smt


def mean_and_variance(m: Fraction, law: tuple[Fraction, ...]) -> tuple[Fraction, Fraction]:
    """E[Z] and Var[Z] = (k/m)^2 sum of 2 nu^2 + 4 nu d^2, nu = m p_j, d = nu - m/k."""
    k = len(law)
    terms = [(m * p, m * p - m / k) for p in law]
    mean = k / m * sum((d * d for _, d in terms), Fraction(0))
    return mean, (k / m) ** 2 * sum((2 * nu * nu + 4 * nu * d * d for nu, d in terms), Fraction(0))


def small(says: str, cases: list[tuple[Fraction, tuple[Fraction, ...]]]) -> Step:
    """Var[Z] <= E[Z]^2/100 in each case."""

    def words(case: tuple[Fraction, tuple[Fraction, ...]]) -> str:
        mean, variance = mean_and_variance(*case)
        return f"m = {case[0]}, D = ({', '.join(map(str, case[1]))}): Var[Z] = {variance}, E[Z]^2/100 = {mean**2 / 100}"

    return exhaustive(
        says,
        lambda case: mean_and_variance(*case)[1] <= mean_and_variance(*case)[0] ** 2 / 100,
        cases,
        words,
    )


FAR = (Fraction(3, 4), Fraction(1, 4))
SIZES = {"k": "[1, inf)", "r": "[1, inf)", "m": "(0, inf)", "a": "(0, 1)"}


def far(constant: int) -> tuple[str, ...]:
    """m >= constant sqrt(k)/alpha^2, with w = sqrt(S)."""
    return (f"m*a^2 >= {constant}*r", "r^2 = k", "w^2*k >= 4*a^2*m^2")


STATEMENT = Statement(
    label="eq:var-z-non",
    where="section 4.1.1, Case 2, Equation var-z-non",
    kind="display",
    printed="If the total variation of D and U is above alpha: Var[Z] <= E[Z]^2/100.",
    reading="m is that of the theorem that the equation is part of, with its term k^(1/2)/alpha^2 times a constant that is large enough; the kernel's proof takes 800. (The equation has no condition on m, and without one it is false: a twin.)",
    covers=("eq:var-z-non",),
    steps=(kernel("paper-eq-z-non"),),
    constants=(
        Constant("800", twin="with 790", by="790"),
        Constant("100", slack="it goes with 800: other constants give others"),
    ),
    twins=(
        small(
            "without a condition on m: k = 2, D = (3/4, 1/4), m in {1, 100}", [(Fraction(1), FAR), (Fraction(100), FAR)]
        ),
        smt("4*w^3 <= w^4/400", far(790), says="with 790", w="(0, inf)", **SIZES),
    ),
)
