"""Randomized response: two outcomes with two ratios, which are each other's inverse."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log

from flint import arb, ctx
from panshuffle.crosscheck.court.family import DELTA, EPSILON, PRECISION, Bounds, Case, Family
from panshuffle.exact.curves.composition import composed_delta
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.laws.law import law_of_bernoulli
from panshuffle.exact.real import Real, largest

MOST_RUNS = 10_000  # so many types of outcomes are added up
FIRST = "the sum over the types of k outcomes, in balls"
SECOND = "two binomial tails as incomplete beta functions of Arb"
HALF_EPS = 0.3775406687981454  # the double next to 1/(1 + e^0.5): eps_0 = 0.5 but for rounding


def curve(case: Case) -> Curve:
    """The certified curve."""
    p = case.exact("p")
    return two_point_curve(p, case.k, ((1 - p) / p) ** case.k)


def two_point_curve(p: Real, k: int, pure: Real) -> Curve:
    """The certified curve of k lies, each with probability p: the sum over the types of k outcomes."""
    upper, lower = law_of_bernoulli(1 - p), law_of_bernoulli(p)

    def ball(exp_eps: Real, precision: int) -> arb:
        return composed_delta(upper, lower, k, exp_eps, Fraction(1, 1 << precision))

    return Curve(ball, None, pure)


def two_point_bounds(p: Real, k: int, exp_eps: Real) -> Bounds:
    """P[Bin(k, 1-p) >= c] - E P[Bin(k, p) >= c] by incomplete beta functions, at the best c."""
    cut = (k + float(exp_eps.ball(64).log()) / log((1 - float(p)) / float(p))) / 2
    with ctx.workprec(PRECISION + 4 * k.bit_length()):
        lies, factor = p.ball_here(), exp_eps.ball_here()
        near = {min(max(ceil(cut) + step, 0), k + 1) for step in (-1, 0, 1, 2)}
        return Bounds.of(largest([tail(k, 1 - lies, c) - factor * tail(k, lies, c) for c in near]))


def tail(k: int, p: arb, c: int) -> arb:
    """P[Bin(k, p) >= c], the regularized incomplete beta function at p."""
    if c <= 0:
        return arb(1)
    return p.beta_lower(c, k - c + 1, regularized=True) if c <= k else arb(0)


FAMILY = Family(
    __name__,
    4,
    "a bit that is reported wrongly with probability p, k bits",
    {"p": 0.0},
    curve,
    lambda case, exp_eps: two_point_bounds(case.exact("p"), case.k, exp_eps),
    FIRST,
    SECOND,
    MOST_RUNS,
    below={"p": 0.5},
)
BATTERY = (
    FAMILY.problem(DELTA, 10.0, k=20, quick=True, p=0.25),
    FAMILY.problem(EPSILON, 1e-6, k=20, p=0.25),
    FAMILY.problem(DELTA, 90.0, k=200, quick=True, p=HALF_EPS),
    FAMILY.problem(EPSILON, 1e-13, k=200, p=HALF_EPS),
)
