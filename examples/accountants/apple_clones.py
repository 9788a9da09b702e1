"""Apple's clones (993d285) with the step of its own example, 100, for 100 users: an eps near 0 whose delta is 0.046.

Run it in a clone of github.com/apple/ml-shuffling-amplification.  A step of n or more leaves no term to sum.  Each of
100 users reports one of two values with odds 3 against the other one, which is ln(3)-locally private; all others hold
the same value, and what is seen is how many reports of each value there are.
"""

from fractions import Fraction
from math import comb, log, nextafter

USERS, ODDS = 100, 3


def said() -> float:
    """The upper bound on eps at delta = 1e-6 that it gives; eps0 is rounded up."""
    from computeamplification import numericalanalysis

    return float(numericalanalysis(USERS, nextafter(log(ODDS), 2), 1e-6, 20, 100, True))


def law(own: Fraction, others: Fraction) -> list[Fraction]:
    """The number of reports of the first value, from the probabilities that a report is."""
    crowd = [comb(USERS - 1, x) * others**x * (1 - others) ** (USERS - 1 - x) for x in range(USERS)]
    return [(1 - own) * mass + own * before for mass, before in zip([*crowd, 0], [0, *crowd], strict=True)]


def least_delta(eps: Fraction) -> Fraction:
    """A lower bound of the true delta at 0 <= eps < 1; e^eps is at most 1 + eps + eps^2."""
    factor, true = 1 + eps + eps**2, Fraction(ODDS, ODDS + 1)
    above, below = law(true, true), law(1 - true, true)
    orders = (above, below), (below, above)
    return max(sum(max(p - factor * q, 0) for p, q in zip(*pair, strict=True)) for pair in orders)


if __name__ == "__main__":
    eps = said()
    print(f"apple-clones: eps = {eps:.3g} at delta = 1e-6; the true delta there is at least", end=" ")
    print(f"{float(least_delta(Fraction(eps))):.4g}")
