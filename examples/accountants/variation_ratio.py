"""The variation-ratio code (34ca048): half of the true delta for three values, two users and e^eps0 = 2.

Run it in a clone of github.com/wangsw/PrivacyAmplification.  Both users report one of three values with odds 2 against
each other one; what is seen is how many reports of each value there are.  The worst neighbours are those whose other
user holds the changed user's first value, which the reduction that the code rests on leaves out.
"""

from fractions import Fraction
from itertools import product
from math import exp, log

VALUES = (0, 1, 2)
ODDS, FACTOR = 2, Fraction(7, 4)


def said() -> float:
    """The delta at e^eps = 7/4 that it gives, with p, beta and q of the table in its README."""
    from unifiedamplification import Delta

    p = q = exp(log(ODDS))
    beta = (p - 1) / (p + 2)
    return float(Delta(log(1.75), beta / (p - 1), beta * p / (p - 1) / q, beta * p / (p - 1) / q, 2, p))


def law(data: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """The law of the sorted reports."""
    found: dict[tuple[int, ...], Fraction] = {}
    for reports in product(VALUES, repeat=len(data)):
        mass = Fraction(1)
        for held, said in zip(data, reports, strict=True):
            mass *= Fraction(ODDS if held == said else 1, ODDS + len(VALUES) - 1)
        key = tuple(sorted(reports))
        found[key] = found.get(key, Fraction(0)) + mass
    return found


def true_delta() -> Fraction:
    """The true delta, over all neighbours."""
    return max(
        sum(
            (max(mass - FACTOR * law((b, other))[seen], Fraction(0)) for seen, mass in law((a, other)).items()),
            Fraction(0),
        )
        for a, b, other in product(VALUES, repeat=3)
    )


if __name__ == "__main__":
    print(f"variation-ratio: delta = {said():.8g} at e^eps = 7/4; the truth is {true_delta()}")
