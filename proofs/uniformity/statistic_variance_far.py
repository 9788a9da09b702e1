"""Equation var-z-non: the variance of Z when D is far from uniform."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Constant, Statement, Step
from proofs.steps import exhaustive, moment, smt


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
ENOUGH = ("m*a^2 >= 800*r", "r^2 = k", "S*k >= 4*a^2*m^2")


def far(constant: int) -> tuple[str, ...]:
    """m >= constant sqrt(k)/alpha^2, with w = sqrt(S)."""
    return (f"m*a^2 >= {constant}*r", "r^2 = k", "w^2*k >= 4*a^2*m^2")


STATEMENT = Statement(
    label="eq:var-z-non",
    where="section 4.1.1, Case 2, Equation var-z-non",
    kind="display",
    printed="If the total variation of D and U is above alpha: Var[Z] <= E[Z]^2/100.",
    reading="m is that of the theorem that the equation is part of, with its term k^(1/2)/alpha^2 times a constant that is large enough: 800 will do. (The equation has no condition on m, and without one it is false: a twin.)",
    covers=("eq:var-z-non",),
    rests_on=("statistic-mean-far", "poissonization"),
    steps=(
        moment(
            "value = 2*nu^2 + 4*nu*(nu - mu)^2",
            {"c": "Pois(nu)"},
            variance_of="(c - mu)^2 - c",
            says="one term has the variance 2 nu^2 + 4 nu (nu - mu)^2",
            nu="[0, inf)",
            mu="(0, inf)",
        ),
        smt("2*k*(m/k)^2 <= S^2/400", ENOUGH, says="2k mu^2, r = sqrt(k)", S="(0, inf)", **SIZES),
        smt("2*S <= S^2/400", ENOUGH, says="2S", S="(0, inf)", **SIZES),
        smt("4*(m/k)*S <= S^2/400", ENOUGH, says="4 mu S", S="(0, inf)", **SIZES),
        smt("4*w^3 <= w^4/400", far(800), says="4 sum d_j^3, w = sqrt(S)", w="(0, inf)", **SIZES),
    ),
    argument=(
        "Let mu = m/k, nu_j = m p_j, d_j = nu_j - mu and S the sum of d_j^2. By Poissonization the terms of Z are independent, so Var[Z] is (k/m)^2 times the sum over j of 2 nu_j^2 + 4 nu_j d_j^2. Since sum d_j = 0, sum nu_j^2 = k mu^2 + S and sum nu_j d_j^2 = mu S + sum d_j^3, so the sum is 2k mu^2 + 2S + 4 mu S + 4 sum d_j^3. E[Z] = (k/m) S, so the claim is that this sum is at most S^2/100; the steps bound each part by S^2/400 if "
        "m >= 800 sqrt(k)/alpha^2. S >= 4 alpha^2 m^2/k is the bound on the mean; sum d_j^3 <= max |d_j| S <= S^(3/2)."
    ),
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
