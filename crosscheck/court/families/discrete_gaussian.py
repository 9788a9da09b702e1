"""The discrete Gaussian mechanism with sensitivity 1: its loss is a multiple of the noise, so runs add up noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import ceil, floor, sqrt

from flint import arb, arb_poly, ctx
from panshuffle.crosscheck.court.family import DELTA, EPSILON, Bounds, Case, Family
from panshuffle.exact.curves.composition import composed_delta
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.laws.law import Law, Masses, enclosed_law, shift
from panshuffle.exact.real import Real, largest

BITS = 320  # more than elsewhere: a k-th power of a polynomial loses some
LARGEST_SIGMA = 200.0  # beyond it the sums of many runs are too many to list


def law_of_discrete_gaussian(sigma: Real) -> Law:
    """V with mass in proportion to e^(-v^2/(2 sigma^2)) on the integers, with an enclosed tail."""

    def enclose(precision: int) -> Masses:
        with ctx.workprec(precision + 32):
            weights, rest = weights_of(sigma, precision)
            total = arb(0).union(rest) + weights[0] + 2 * sum(weights[1:], arb(0))
            listed = {v: weights[abs(v)] / total for v in range(1 - len(weights), len(weights))}
            return Masses(listed, rest)

    return enclosed_law(enclose)


def weights_of(sigma: Real, bits: int) -> tuple[list[arb], arb]:
    """e^(-v^2/(2 sigma^2)) for v = 0, 1, ... up to about 2^-bits, and a bound on all the others.

    The others are at most 2 w/(1 - r) with w the next weight and r the ratio of the one after it.
    """
    scale = 1 / (2 * sigma.ball_here() ** 2)
    count = ceil(float(sigma) * sqrt(1.4 * (bits + 16))) + 2
    weights = [(-scale * (v * v)).exp() for v in range(count + 2)]
    rest = 2 * weights[count] / (1 - weights[count + 1] / weights[count])
    return weights[:count], rest.upper()


def curve(case: Case) -> Curve:
    """The k-fold composition of the pair (V, V + 1)."""
    upper = law_of_discrete_gaussian(case.exact("sigma"))
    lower, k = shift(upper, 1), case.k

    def ball(exp_eps: Real, precision: int) -> arb:
        return composed_delta(upper, lower, k, exp_eps, Fraction(1, 10**6 if precision < 96 else 10**8))

    return Curve(ball)


def second(case: Case, exp_eps: Real) -> Bounds:
    """P[S <= c] - E P[S <= c - k] for the sum S of k draws, by the k-th power of a polynomial, at the best c.

    The loss of a tuple is (k - 2 s)/(2 sigma^2).  Draws beyond the list are in the bounds: an event without them
    has no more than its probability, and with them at most k times theirs more.
    """
    k, sigma = case.k, case.exact("sigma")
    edge = (k - 2 * float(case["sigma"]) ** 2 * float(exp_eps.ball(64).log())) / 2
    with ctx.workprec(BITS + 8 * k.bit_length()):
        weights, rest = weights_of(sigma, BITS)
        total = arb(0).union(rest) + weights[0] + 2 * sum(weights[1:], arb(0))
        offset = k * (len(weights) - 1)
        sums = (arb_poly([*reversed(weights[1:]), *weights]) * (1 / total)) ** k
        factor, below = exp_eps.ball_here(), list(accumulate(sums.coeffs()))
        cuts = [floor(edge) + step + offset for step in (-1, 0, 1)]
        gain = largest([at(below, c) - factor * at(below, c - k) for c in cuts])
        lost = (k * rest / total).upper()
        return Bounds((gain - factor * lost).lower(), (gain + lost).upper())


def at(below: list[arb], c: int) -> arb:
    """The running sum up to c, 0 before the first and the whole after the last."""
    return below[min(c, len(below) - 1)] if c >= 0 else arb(0)


FAMILY = Family(
    __name__,
    7,
    "noise with mass in proportion to e^(-v^2/(2 sigma^2)) on the integers, sensitivity 1, k runs",
    {"sigma": 0.0},
    curve,
    second,
    "the k-fold composition enclosed by a lattice of frequencies",
    "the law of the sum of the noise by the k-th power of a polynomial in balls",
    1000,
    {"sigma": LARGEST_SIGMA},
)
BATTERY = (
    FAMILY.problem(DELTA, 0.5, quick=True, sigma=10.0),
    FAMILY.problem(DELTA, 5.0, k=64, sigma=10.0),
    FAMILY.problem(EPSILON, 1e-6, k=64, sigma=10.0),
)
