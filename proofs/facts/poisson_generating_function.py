"""The generating function of a Poisson law."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, kernel


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
    steps=(kernel("poisson-generating-function"),),
    twins=(
        identity("exp(-mu)*exp(mu*E) = exp(mu*E - 1)", says="with e^(mu E - 1)", mu="(0, inf)", E="(0, inf)"),
        terms("the terms with one power more", 1),
    ),
)
