"""The Gaussian mechanism with sensitivity 1: k runs are one with mu = sqrt(k)/sigma."""

from __future__ import annotations

from flint import acb, arb, ctx
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, Bounds, Case, Family
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.real import Real, log

REACH = 60  # standard deviations of the integral; a bound covers what is beyond


def shift_ball(case: Case) -> arb:
    """mu = sqrt(k)/sigma at the working precision."""
    return arb(case.k).sqrt() / case.exact("sigma").ball_here()


def upper_tail(x: arb) -> arb:
    """P[Z > x]."""
    return (x / arb(2).sqrt()).erfc() / 2


def curve(case: Case) -> Curve:
    """delta = P[Z > eps/mu - mu/2] - e^eps P[Z > eps/mu + mu/2]."""

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(2 * precision + 64):
            mu, eps = shift_ball(case), log(exp_eps).ball_here()
            return upper_tail(eps / mu - mu / 2) - exp_eps.ball_here() * upper_tail(eps / mu + mu / 2)

    return Curve(ball)


def second(case: Case, exp_eps: Real) -> Bounds:
    """The integral of the densities' difference from the cut on; what lies beyond the reach is in the upper end."""
    with ctx.workprec(PRECISION):
        mu, eps, factor = shift_ball(case), log(exp_eps).ball_here(), exp_eps.ball_here()
        cut = eps / mu + mu / 2
        scale = (cut - mu) ** 2 / 2

        def gain(x: acb, _: bool) -> acb:
            return (scale - (x - mu) ** 2 / 2).exp() - factor * (scale - x**2 / 2).exp()

        value = acb.integral(gain, cut, cut + REACH).real * (-scale).exp() / (2 * arb.pi()).sqrt()
        return Bounds(value.lower(), (value + (-((cut + REACH - mu) ** 2) / 2).exp()).upper())


FAMILY = Family(
    __name__,
    6,
    "noise N(0, sigma^2), sensitivity 1, k runs",
    {"sigma": 0.0},
    curve,
    second,
    "the closed form with two normal tails, erfc of Arb",
    "the certified integral of the difference of the densities",
)
BATTERY = (
    FAMILY.problem(DELTA, 2.9, k=10, quick=True, sigma=5.0),
    FAMILY.problem(EPSILON, 1e-6, k=10, quick=True, sigma=5.0),
    FAMILY.problem(DELTA, 20.0, sigma=1.0),
    FAMILY.problem(EPSILON, 1e-13, k=10**4, quick=True, sigma=100.0),
    FAMILY.problem(EPSILON, 1e-18, k=100, sigma=20.0),
)
