"""The errors of the sums and histograms: binomial noise, raw or less its mean."""

from __future__ import annotations

from flint import arb, ctx

from exact.accuracy.affine_error import AffineError
from exact.accuracy.count_law import CountLaw
from exact.certified import Certified
from exact.errors import ParameterError
from exact.real import HALF, Real, real
from exact.validation import check_count


def noise_error(coins: int, p: Real, debiased: bool) -> AffineError:
    """The error of a sum with Bin(coins, p) noise: the noise itself, or the noise less its mean.

    >>> noise_error(4, HALF, False).chance(real(3)).exact
    Fraction(1, 16)
    >>> noise_error(4, HALF, True).chance(real(1)).exact
    Fraction(1, 8)
    """
    check_count("coins", coins, 0)
    return AffineError(CountLaw(((coins, p),)), real(1), coins * p if debiased else real(0))


def pan_sum_error(lam: int, debiased: bool) -> AffineError:
    """Q_ZSUM: the two draws together are Bin(2 lam, 1/2)."""
    check_count("lam", lam)
    return noise_error(2 * lam, HALF, debiased)


def largest_of(error: AffineError, bins: int, alpha: Real) -> Certified:
    """P[the largest of the errors of independent bins is above alpha]: 1 - (1 - P[one is])^bins.

    >>> largest_of(noise_error(1, HALF, False), 2, real(0)).exact
    Fraction(3, 4)
    """
    check_count("k", bins)
    one = error.chance(alpha)
    if one.exact is not None and bins <= 1000:
        return Certified.of(1 - (1 - one.exact) ** bins)

    def ball(precision: int) -> arb:
        chance = one.ball(precision + bins.bit_length())
        with ctx.workprec(precision + bins.bit_length() + 16):
            return -((-chance).log1p() * bins).expm1() if chance < 1 else arb(1)

    return Certified(ball, probability=True)


def least_alpha_of(error: AffineError, bins: int, beta: Real) -> Real:
    """The least alpha with P[the largest error is above alpha] <= beta."""
    if not (beta >= 0 and beta <= 1):
        raise ParameterError("beta", beta, "between 0 and 1")
    if beta >= 1:
        return real(0)
    one = 1 - (1 - beta) ** (1 / real(bins))
    return error.least_alpha(one)
