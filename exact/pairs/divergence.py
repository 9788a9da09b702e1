"""The hockey-stick divergence between two laws.

A neighbouring pair is always (upper, lower): how much more likely an event is under `upper`.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate

from flint import arb, ctx, fmpq, fmpz
from panshuffle.exact.laws.law import Law
from panshuffle.exact.laws.pool_law import Pair
from panshuffle.exact.parameters import refuse_if
from panshuffle.exact.real import Certified, Real, as_fraction


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


def turned(pair: Pair) -> Pair:
    """The pair with both laws exchanged."""
    upper, lower, unit = pair
    return lower, upper, unit


def pool_gain(pair: Pair, exp_eps: Fraction) -> Fraction:
    """The divergence of two laws on the same outcomes."""
    upper, lower, unit = pair
    top, bottom = fmpz(exp_eps.numerator), fmpz(exp_eps.denominator)
    gains = (bottom * p - top * r for p, r in zip(upper, lower, strict=True))
    return as_fraction(fmpq(sum((gain for gain in gains if gain > 0), fmpz(0)), bottom * unit))


def pair_gain(first: Pair, second: Pair, exp_eps: Fraction) -> Fraction:
    """The divergence of two independent pools, by ratios and suffix sums.

    >>> half, quarter = [fmpz(2)] * 2, [fmpz(1), fmpz(3)]
    >>> pair_gain((half, quarter, fmpz(4)), (half, quarter, fmpz(4)), Fraction(2))
    Fraction(1, 8)
    """
    top, bottom = fmpz(exp_eps.numerator), fmpz(exp_eps.denominator)
    cells = sorted((fmpq(p, r), p, r) for p, r in zip(*first[:2], strict=True) if r)
    missed = sum((p for p, r in zip(*first[:2], strict=True) if not r), fmpz(0))
    ratios = [ratio for ratio, _, _ in cells]
    upper = list(accumulate((gain for _, gain, _ in reversed(cells)), initial=missed))[::-1]
    lower = list(accumulate((cost for _, _, cost in reversed(cells)), initial=fmpz(0)))[::-1]
    total = fmpz(0)
    for p, r in zip(*second[:2], strict=True):
        if p:
            x = bisect_left(ratios, fmpq(top * r, bottom * p))
            total += bottom * p * upper[x] - top * r * lower[x]
    return as_fraction(fmpq(total, bottom * first[2] * second[2]))


def check_exp_eps(exp_eps: Real) -> None:
    """*Raises* `ParameterError` unless e^eps >= 1."""
    refuse_if(not exp_eps >= 1, "exp_eps", exp_eps, "at least 1 (eps at least 0)")
