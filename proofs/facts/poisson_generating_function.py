"""The generating function of a Poisson law."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, identity


def terms(says: str, shift: int = 0) -> Step:
    """The x-th term of the series: mu^x/x! E^x = (mu E)^x/x!, so the sum is e^(mu E)."""
    cases = [(x, Fraction(mu, 2), Fraction(e, 3)) for x in range(9) for mu in (1, 2, 5) for e in (1, 2, 7)]
    return exhaustive(
        says,
        lambda case: (
            case[1] ** case[0] / factorial(case[0]) * case[2] ** case[0]
            == (case[1] * case[2]) ** (case[0] + shift) / factorial(case[0])
        ),
        cases,
        str,
    )


STATEMENT = Statement(
    where="used in section 4.1",
    kind="fact",
    printed="For X ~ Pois(mu): E[E^X] = e^(mu(E-1)).",
    hypotheses=("mu > 0", "E > 0"),
    steps=(
        identity(
            "mu^x*E^x = (mu*E)^x",
            says="term by term, the series of e^(mu E)",
            mu="(0, inf)",
            E="(0, inf)",
            x="[0, inf)",
        ),
        identity("exp(-mu)*exp(mu*E) = exp(mu*(E - 1))", says="times e^-mu", mu="(0, inf)", E="(0, inf)"),
    ),
    argument=(
        "E[E^X] is the sum over x >= 0 of e^-mu mu^x/x! E^x. By the first step its terms are e^-mu (mu E)^x/x!, and the series of the exponential function at mu E is the sum of "
        "(mu E)^x/x!; so the sum is e^-mu e^(mu E), which the second step rewrites."
    ),
    twins=(
        identity("exp(-mu)*exp(mu*E) = exp(mu*E - 1)", says="with e^(mu E - 1)", mu="(0, inf)", E="(0, inf)"),
        terms("the terms with one power more", 1),
    ),
)
