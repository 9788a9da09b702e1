"""Published closed forms for the eps of a shuffled eps0-local randomizer, as printed, to stand beside certified ends.

Legend: p = e^eps0, n users, k inputs.  None where a hypothesis of the statement fails.  Nothing is certified by these.
"""

from __future__ import annotations

from panshuffle.exact.numbers.real import Real, exp, log, real, sqrt


def clones_epsilon(eps0: Real, users: int, delta: Real) -> Real | None:
    """Feldman, McMillan, Talwar, "Hiding among the clones" (2021), Theorem 3.1, for any eps0-local randomizers.

    *Formula*: log(1 + (p-1)/(p+1) s), s = 8 sqrt(p log(4/delta)/n) + 8p/n.
    *Holds when* eps0 <= log(n/(16 log(2/delta))) (checked).  The authors' program computes another form, which is never
    less: with p + 1/(1+s) in place of p + 1, and log(4/delta) in the hypothesis.
    """
    p = exp(eps0)
    if not p * 16 * log(2 / delta) <= users:
        return None
    return log(1 + (p - 1) / (p + 1) * (8 * sqrt(p * log(4 / delta) / users) + 8 * p / users))


def blanket_epsilon(eps0: Real, k: int, users: int, delta: Real) -> Real | None:
    """Balle, Bell, Gascon, Nissim, "The privacy blanket of the shuffle model" (2019), Theorem 3.1, for k-ary response.

    *Formula*: the least eps with gamma = k/(p+k-1) >= max(14k log(2/delta)/((n-1) eps^2), 27k/((n-1) eps)), the
    larger of the two eps at which one of the terms is gamma.
    *Holds when* n >= 2, gamma < 1, which is p > 1, and eps <= 1 (checked).
    """
    if users < 2 or not eps0 > 0:
        return None
    total = (exp(eps0) + k - 1) / (users - 1)
    first, second = sqrt(14 * log(2 / delta) * total), 27 * total
    found = first if first >= second else second
    return found if found <= real(1) else None
