"""The hockey-stick divergence between two laws.

A neighbouring pair is always (upper, lower): how much more likely an event is under `upper`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import inf

from flint import arb, ctx
from panshuffle.exact.laws.law import Law
from panshuffle.exact.parameters import refuse_if
from panshuffle.exact.real import Certified, Real

Pair = tuple[Sequence[Fraction], Sequence[Fraction]]
"""The masses of the same outcomes under `upper` and under `lower`."""


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


def pool_gain(upper: Sequence[Fraction], lower: Sequence[Fraction], exp_eps: Fraction) -> Fraction:
    """The divergence of two laws on the same outcomes."""
    return sum((max(p - exp_eps * r, Fraction(0)) for p, r in zip(upper, lower, strict=True)), Fraction(0))


def pair_gain(first: Pair, second: Pair, exp_eps: Fraction) -> Fraction:
    """The divergence of two independent pools, each with its laws (upper, lower), by ratios and suffix sums.

    >>> half, quarter = [Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)]
    >>> pair_gain((half, quarter), (half, quarter), Fraction(2))
    Fraction(1, 8)
    """
    cells = sorted((p / r if r else inf, p, r) for p, r in zip(*first, strict=True) if p or r)
    ratios: list[Fraction | float] = [ratio for ratio, _, _ in cells]
    upper = list(accumulate((gain for _, gain, _ in reversed(cells)), initial=Fraction(0)))[::-1]
    lower = list(accumulate((cost for _, _, cost in reversed(cells)), initial=Fraction(0)))[::-1]
    total = Fraction(0)
    for p, r in zip(*second, strict=True):
        if p:
            x = bisect_left(ratios, exp_eps * r / p)
            total += p * upper[x] - exp_eps * r * lower[x]
    return total


def check_exp_eps(exp_eps: Real) -> None:
    """*Raises* `ParameterError` unless e^eps >= 1."""
    refuse_if(not exp_eps >= 1, "exp_eps", exp_eps, "at least 1 (eps at least 0)")
