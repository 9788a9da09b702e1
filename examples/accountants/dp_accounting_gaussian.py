"""dp-accounting 0.6.0, default settings: an eps of Gaussian noise whose true delta is more than twice the target.

sigma = 100, 10,000 times, delta = 1e-13.  Sensitivity 1 and mu = sqrt(k)/sigma = 1 give, with a = eps - 1/2 and
b = eps + 1/2, delta = P[Z > a] - e^eps P[Z > b] = phi(a) (M(a) - M(b)), since e^eps phi(b) = phi(a).  M is Mills' ratio
P[Z > x]/phi(x) = 1/(x + 1/(x + 2/(x + 3/...))), which lies between any two consecutive convergents.
"""

from fractions import Fraction

TERMS = 200


def said() -> float:
    """The eps that dp-accounting gives."""
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism

    return float(from_gaussian_mechanism(100.0).self_compose(10_000).get_epsilon_for_delta(1e-13))


def convergent(x: Fraction, depth: int) -> Fraction:
    """Above Mills' ratio for an even depth, below it for an odd one."""
    rest = x
    for i in range(depth, 0, -1):
        rest = x + i / rest
    return 1 / rest


def exp_at_most(x: Fraction) -> Fraction:
    """Above e^x for 0 <= x < 100: the Taylor series, its rest bounded by a geometric one."""
    term, total = Fraction(1), Fraction(0)
    for i in range(TERMS):
        total, term = total + term, term * x / (i + 1)
    return total + term / (1 - x / (TERMS + 1))


def least_delta(eps: Fraction) -> Fraction:
    """A lower bound of the true delta at eps > 1/2; sqrt(2 pi) is below 2.50662827464."""
    a, b = eps - Fraction(1, 2), eps + Fraction(1, 2)
    density = 1 / (exp_at_most(a * a / 2) * Fraction("2.50662827464"))
    return density * (convergent(a, 101) - convergent(b, 100))


if __name__ == "__main__":
    eps = said()
    print(f"dp-accounting: eps = {eps:.6f} at delta = 1e-13; the true delta there is at least", end=" ")
    print(f"{float(least_delta(Fraction(eps))):.4g}")
