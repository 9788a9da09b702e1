"""The error of P_DE: C_j is a fair bit where j is held, and Ber((1 - Q)/2) elsewhere, Q = (1 - e^-eps)^(N/n)."""

from __future__ import annotations

from exact.accuracy.affine_error import AffineError
from exact.accuracy.count_law import CountLaw
from exact.certified import Certified
from exact.errors import ParameterError
from exact.real import HALF, Real, exp, log, real, sqrt
from exact.validation import check_count, check_open_unit, check_positive

LARGEST_SEARCH = 400


def estimate_error(k: int, distinct: int, eps: Real, gamma: Real | None = None, corrected: bool = False) -> AffineError:
    """The error z - D of P_DE with D distinct elements among the honest users' data, a fraction gamma of n.

    With dropouts A_DE is biased; `corrected` is the estimate (2C - k(1-Q))/Q from the number of users that the messages
    show, which is unbiased for every gamma, and the same as A_DE at gamma = 1.

    >>> from fractions import Fraction
    >>> estimate_error(16, 16, log(real(2))).law.largest
    16
    """
    check_count("k", k)
    check_positive("eps", eps)
    if not 0 <= distinct <= k:
        raise ParameterError("distinct", distinct, f"a whole number from 0 to {k}")
    exp_eps = exp(eps)
    share = (1 - 1 / exp_eps) ** (gamma if gamma is not None else real(1))
    law = CountLaw(((distinct, HALF), (k - distinct, (1 - share) / 2)))
    if corrected:
        return AffineError(law, 2 / share, (k * (1 - share) + distinct * share) / 2)
    return AffineError(law, 2 * exp_eps / (exp_eps - 1), (k + distinct * (exp_eps - 1)) / (2 * exp_eps))


def paper_alpha(k: int, eps: Real, beta: Real) -> Real:
    """Theorem de_upper, Part II: e^eps/(e^eps-1) sqrt(2k ln(2/beta))."""
    check_open_unit("beta", beta)
    return exp(eps) / (exp(eps) - 1) * sqrt(2 * k * log(2 / beta))


def worst_chance(k: int, most: int, eps: Real, alpha: Real, gamma: Real | None = None) -> tuple[Certified, int]:
    """The largest P[|z - D| > alpha] over D = 1, ..., most, and where it is taken, every D computed.

    *Raises* `ParameterError` for more than 400 of them.
    """
    if most > LARGEST_SEARCH:
        raise ParameterError(
            "distinct", "absent", f"given where there may be more than {LARGEST_SEARCH} distinct elements"
        )
    chances = [(estimate_error(k, d, eps, gamma).chance(alpha), d) for d in range(1, most + 1)]
    best, where = chances[0]
    for chance, d in chances[1:]:
        if float(chance.ball(64).mid()) > float(best.ball(64).mid()):
            best, where = chance, d
    return best, where
