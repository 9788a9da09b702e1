"""The error of a sum with Skellam noise: the noise itself, which has mean 0."""

from __future__ import annotations

from functools import partial

from panshuffle.exact.accuracy.affine_error import AffineError, EndlessLaw, check_endless
from panshuffle.exact.laws.skellam import check_noise, far_point, upper_ball
from panshuffle.exact.numbers.real import Real, real


def noise_error(v: Real, beta: Real | None = None) -> AffineError:
    """The error of a sum with this noise, of which the chances are known, and the least alpha for this beta.

    *Raises* `ParameterError` for beta = 0, which no alpha has.

    >>> noise_error(real(1)).law.outside(-1, 1).enclosure(8)
    ('0.53424039', '0.5342404')
    >>> noise_error(real(9), real("1/10")).least_alpha(real("1/10"))
    Real('5')
    """
    check_noise(v)
    check_endless(beta)
    tails = (lambda x, precision: upper_ball(v, -x, precision)), partial(upper_ball, v)
    return AffineError(EndlessLaw((real(0), v), tails, 0 if beta is None else far_point(v, beta)), real(1), real(0))
