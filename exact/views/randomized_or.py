"""The central OR: Ber(1/2) against Ber(1/(2 e^eps))."""

from __future__ import annotations

from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, THIS_PAIR, Curve, View, pure_bound, worse
from panshuffle.exact.laws.law import Law, law_of_bernoulli
from panshuffle.exact.pairs.divergence import hockey_stick
from panshuffle.exact.real import HALF, Real, exp

WHY = "The output depends on the OR only, so two neighbours differ as Ber(1/2) and Ber(1/(2e^eps)) do, or not at all."


def view(eps: Real, direction: str | None = None) -> View:
    """The view of the output; "gain" has the data with a 1 as the upper law."""
    one, zero = law_of_bernoulli(HALF), law_of_bernoulli(exp(-eps) / 2)
    gain = law_curve(one, zero, exp(eps))
    lose = law_curve(zero, one, 2 - exp(-eps))
    scope = ALL_NEIGHBOURS if direction is None else THIS_PAIR
    curve = worse(gain, lose) if direction is None else (gain if direction == "gain" else lose)
    return View(curve, scope, WHY, pure_bound("randomized-or", eps))


def law_curve(upper: Law, lower: Law, pure: Real | None) -> Curve:
    """The curve of two laws on few outcomes."""
    exact = upper.exact is not None and lower.exact is not None
    return Curve(
        lambda exp_eps, precision: hockey_stick(upper, lower, exp_eps).ball(precision),
        (lambda e: hockey_stick(upper, lower, Real(e)).exact or e * 0) if exact else None,
        pure,
    )
