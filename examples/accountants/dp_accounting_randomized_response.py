"""dp-accounting 0.6.0, tail_mass_truncation=0: a negative delta of randomized response, and an eps that is too small.

A bit is reported wrongly with probability p, the double next to 1/(1 + e^0.5), 200 times.  The number of true reports
decides the ratio of the two laws, so that delta is a sum over that number.
"""

from fractions import Fraction
from math import comb

P, RUNS = 0.3775406687981454, 200
TERMS = 400


def said() -> tuple[float, float]:
    """The delta at eps = 90 and the eps at delta = 1e-13 that dp-accounting gives."""
    from dp_accounting.pld.privacy_loss_distribution import from_randomized_response

    law = from_randomized_response(2 * P, 2).self_compose(RUNS, tail_mass_truncation=0)
    return float(law.get_delta_for_epsilon(90.0)), float(law.get_epsilon_for_delta(1e-13))


def exp_at_most(x: Fraction) -> Fraction:
    """Above e^x for 0 <= x < 200: the Taylor series, its rest bounded by a geometric one."""
    term, total = Fraction(1), Fraction(0)
    for i in range(TERMS):
        total, term = total + term, term * x / (i + 1)
    return total + term / (1 - x / (TERMS + 1))


def least_delta(eps: Fraction) -> Fraction:
    """A lower bound of the true delta at eps, by less than a part in 10^50."""
    lie, factor = Fraction(P), exp_at_most(eps)
    gains = (
        (1 - lie) ** true * lie ** (RUNS - true) - factor * lie**true * (1 - lie) ** (RUNS - true)
        for true in range(RUNS + 1)
    )
    return sum((comb(RUNS, true) * gain for true, gain in enumerate(gains) if gain > 0), Fraction(0))


if __name__ == "__main__":
    delta, eps = said()
    print(f"dp-accounting: delta = {delta:.4g} at eps = 90; the truth is {float(least_delta(Fraction(90))):.4g}")
    print(f"dp-accounting: eps = {eps:.5f} at delta = 1e-13; the true delta there is", end=" ")
    print(f"{float(least_delta(Fraction(eps))):.5g}")
