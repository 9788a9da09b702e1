"""Every inequality that the proof of Theorem ut-upper-bound-prelim asks of its parameters, at the paired alternative.

Where all of them hold, the paper concludes that the printed tester notices the alternative with probability 21/50.
"""

from __future__ import annotations

from fractions import Fraction

from exact.numbers.real import Real, exp, real, sqrt


def proof_conditions(k: int, lam: Real, m: Real, alpha: Real, distance: Fraction) -> dict[str, bool]:
    """Whether each inequality holds, by the name of what it is for.

    Z is the statistic without noise: under the uniform law E[Z] = 0 and Var[Z] = 2k, at the paired alternative, with
    mu = m/k and d = 2 a mu, E[Z] = (k/m) k d^2 = 4 a^2 m and Var[Z] = (k/m)^2 k (2 mu^2 + 2 d^2 + 4 mu d^2).

    >>> conditions = proof_conditions(10**8, real(6000), real(3 * 10**9), real("1/4"), Fraction(26, 100))
    >>> all(conditions.values())
    True
    """
    mu, root = m / k, sqrt(real(k))
    d = 2 * distance * mu
    far_mean = 4 * distance * distance * m
    far_variance = k * (2 * mu * mu + 2 * d * d + 4 * mu * d * d) / (mu * mu)
    half = 278 * alpha * alpha * m / 2000
    return {
        "the alternative is farther than alpha": real(distance) > alpha,
        "scale-concentration: 2k exp(-lam/4) < 1/50": 2 * k * exp(-lam / 4) < Fraction(1, 50),
        "moments-uniform: Var[Z] <= alpha^4 m^2/500000": 2 * k <= alpha**4 * m * m / 500000,
        "ex-z-non: E[Z] >= alpha^2 m/5": far_mean >= alpha * alpha * m / 5,
        "var-z-non: Var[Z] <= E[Z]^2/100": far_variance <= far_mean * far_mean / 100,
        "h_1: the terms in lam and lam^(1/2)": half > 10 * k * root * (lam + sqrt(lam)) / m,
        "h_2: the term in (lam/m)^(1/2)": half > 10 * k * sqrt(lam) / sqrt(m),
    }
