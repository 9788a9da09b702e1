"""The hockey-stick divergence between two laws.

A neighbouring pair is always (upper, lower): how much more likely an event is under `upper`.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx
from panshuffle.exact.laws.law import Law
from panshuffle.exact.parameters import refuse_if
from panshuffle.exact.real import Certified, Real


def hockey_stick(upper: Law, lower: Law, exp_eps: Real) -> Certified:
    """delta at e^eps: the sum of max(upper(x) - e^eps * lower(x), 0).

    *Exactness*: exact for exact laws and rational e^eps, an enclosure otherwise.

    >>> from panshuffle.exact.laws.law import law_of_bernoulli
    >>> from panshuffle.exact.real import real
    >>> hockey_stick(law_of_bernoulli(real("1/2")), law_of_bernoulli(real("1/4")), real(1)).exact
    Fraction(1, 4)
    """
    check_exp_eps(exp_eps)
    e = exp_eps.fraction
    if upper.exact is not None and lower.exact is not None and e is not None:
        gains = (mass - e * lower.exact.get(x, Fraction(0)) for x, mass in upper.exact.items())
        return Certified.of(sum((gain for gain in gains if gain > 0), Fraction(0)))
    return Certified(lambda precision: hockey_stick_ball(upper, lower, exp_eps, precision), probability=True)


def hockey_stick_ball(upper: Law, lower: Law, exp_eps: Real, precision: int) -> arb:
    """An enclosure: the positive parts of the listed masses, and the tails."""
    above, below = upper.enclose(precision), lower.enclose(precision)
    with ctx.workprec(precision):
        factor = exp_eps.ball_here()
        total = arb(0)
        for x, mass in above.listed.items():
            other = below.listed.get(x, arb(0))
            other = other if below.tail.is_zero() else other + arb(0).union(below.tail)  # what the tail may hold of it
            total += (mass - factor * other).max(arb(0))
        return total + arb(0).union(above.tail)


def check_exp_eps(exp_eps: Real) -> None:
    """*Raises* `ParameterError` unless e^eps >= 1."""
    refuse_if(not exp_eps >= 1, "exp_eps", exp_eps, "at least 1 (eps at least 0)")
