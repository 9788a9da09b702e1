"""The error of a sum with negative binomial noise, as the mechanism leaves it or less its mean l(1-p)/p."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from panshuffle.exact.accuracy.affine_error import AffineError, EndlessLaw, check_endless
from panshuffle.exact.laws.negative_binomial import check_noise, far_point, lower_ball, lower_exact, upper_ball
from panshuffle.exact.numbers.real import Real, real

LARGEST_EXACT = 2_000


def exact_tails(l: int, p: Real, most: int, least: int) -> Fraction | None:
    """P[X <= most or X >= least] for a rational p, where that is cheap.

    >>> exact_tails(2, real("1/2"), 0, 2)
    Fraction(3, 4)
    """
    if p.fraction is None or least + l > LARGEST_EXACT:
        return None
    return 1 - lower_exact(l, p.fraction, least - 1) + lower_exact(l, p.fraction, most)


def noise_error(l: int, p: Real, debiased: bool, beta: Real | None = None) -> AffineError:
    """The error of a sum with NB(l, p) noise, of which the chances are known, and the least alpha for this beta.

    *Raises* `ParameterError` for beta = 0, which no alpha has unless p = 1.

    >>> noise_error(1, real("1/2"), False).chance(real(1)).exact
    Fraction(1, 4)
    >>> noise_error(1, real("1/2"), True, real("1/4")).least_alpha(real("1/4"))
    Real('1')
    """
    check_noise(l, p)
    if p.fraction != 1:
        check_endless(beta)
    far = 0 if p.fraction == 1 or beta is None else far_point(l, p, beta)
    mean, tails = l * (1 - p) / p, (partial(lower_ball, l, p), partial(upper_ball, l, p))
    law = EndlessLaw((mean, mean / p), tails, far, partial(exact_tails, l, p), first=0)
    return AffineError(law, real(1), mean if debiased else real(0))
