"""The central baseline: the symmetric geometric law against its shift."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, Curve, View, pure_bound
from panshuffle.exact.real import Real, exp

WHY = (
    "Changing one row moves the number of distinct elements by at most 1, and the noise is symmetric, so both "
    "directions are the same pair."
)


def view(n: int, k: int, eps: Real) -> View:
    """The view of the noisy count.

    *Formula*: with s = e^(-eps), the likelihood ratio of the law at 0 to the law at 1 is e^eps at v <= 0 and
    e^(-eps) at v >= 1, so delta(E) = P[V <= 0] - E P[V <= -1] = (1 - E s)/(1 + s) for E <= e^eps.
    """
    if k == 1 or n == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 or n = 1 the number of distinct elements is always 1.")
    return View(geometric_curve(exp(-eps)), ALL_NEIGHBOURS, WHY, pure_bound("geometric-distinct-elements", eps))


def geometric_curve(s: Real) -> Curve:
    """delta(E) = (1 - E s)/(1 + s) for E up to 1/s."""

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision):
            step = s.ball_here()
            return ((1 - exp_eps.ball_here() * step) / (1 + step)).nonnegative_part()

    q = s.fraction
    exact = None if q is None else lambda e: max(Fraction(0), (1 - e * q) / (1 + q))
    return Curve(ball, exact, 1 / s)
