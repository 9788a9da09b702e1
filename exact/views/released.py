"""The central OR: Ber(1/2) against Ber(1/(2 e^eps))."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb, ctx
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, THIS_PAIR, Curve, View, pure_bound, worse
from panshuffle.exact.curves.law_pair import pair_curve
from panshuffle.exact.real import Real, exp
from panshuffle.exact.views.pair_tables import or_pair

RANDOMIZED_OR_WHY = (
    "The output depends on the OR only, so two neighbours differ as Ber(1/2) and Ber(1/(2e^eps)) do, or not at all."
)


def randomized_or_view(eps: Real, direction: str | None = None) -> View:
    """The view of the output; "gain" has the data with a 1 as the upper law."""
    pair = or_pair(eps)
    gain = replace(pair_curve(pair), pure=exp(eps))
    lose = replace(pair_curve(pair.swapped()), pure=2 - exp(-eps))
    scope = ALL_NEIGHBOURS if direction is None else THIS_PAIR
    curve = worse(gain, lose) if direction is None else (gain if direction == "gain" else lose)
    return View(curve, scope, RANDOMIZED_OR_WHY, pure_bound("randomized-or", eps))


# The central baseline: the symmetric geometric law against its shift.


GEOMETRIC_WHY = (
    "Changing one row moves the number of distinct elements by at most 1, and the noise is symmetric, so both "
    "directions are the same pair."
)


def geometric_distinct_elements_view(n: int, k: int, eps: Real) -> View:
    """The view of the noisy count.

    *Formula*: with s = e^(-eps), the likelihood ratio of the law at 0 to the law at 1 is e^eps at v <= 0 and
    e^(-eps) at v >= 1, so delta(E) = P[V <= 0] - E P[V <= -1] = (1 - E s)/(1 + s) for E <= e^eps.
    """
    if k == 1 or n == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 or n = 1 the number of distinct elements is always 1.")
    return View(
        geometric_curve(exp(-eps)),
        ALL_NEIGHBOURS,
        GEOMETRIC_WHY,
        pure_bound("geometric-distinct-elements", eps),
    )


def geometric_curve(s: Real) -> Curve:
    """delta(E) = (1 - E s)/(1 + s) for E up to 1/s."""

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision):
            step = s.ball_here()
            return ((1 - exp_eps.ball_here() * step) / (1 + step)).nonnegative_part()

    q = s.fraction
    exact = None if q is None else lambda e: max(Fraction(0), (1 - e * q) / (1 + q))
    return Curve(ball, exact, 1 / s)
