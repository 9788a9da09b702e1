"""The Skellam law, the difference of two independent Pois(v/2): mean 0, variance v; its masses.

*Formula*: P[X = x] = f(x) = e^-v I_|x|(v), I the modified Bessel function.  f is even and log-concave, since Poisson
laws are, so f(x+1)/f(x) falls in x, and what lies beyond K >= 0 is between f(K+1) and f(K+1)/(1 - f(K+1)/f(K)).  Masses
next to each other come from f(x-1) = f(x+1) + (2x/v) f(x), downward, where every term is positive.
"""

from __future__ import annotations

from math import log, sqrt

from flint import arb, ctx
from panshuffle.exact.laws.noise import GUARD, working_bits
from panshuffle.exact.real import Real, precise

LARGEST_VARIANCE = 10**9
"""A tail near the centre sums about sqrt(2 v bits) masses, half a second for this v."""
WHAT = "a mass of a Skellam law"


def mass_ball(v: Real, x: int, precision: int) -> arb:
    """P[X = x], with `precision` correct bits.

    >>> from panshuffle.exact.real import real
    >>> mass_ball(real(1), 0, 53).str(10, radius=False)
    '0.4657596076'
    """

    def evaluate(bits: int) -> arb:
        with ctx.workprec(bits):
            return v.ball_here().bessel_i(abs(x), scaled=True)

    return precise(evaluate, precision, WHAT, precision + GUARD)


def masses(v: Real, first: int, last: int, precision: int) -> list[arb]:
    """The masses at first, ..., last, for 0 <= first <= last, with about `precision` correct bits."""
    bits = working_bits(precision, last)
    after, mass = mass_ball(v, last + 1, bits), mass_ball(v, last, bits)
    with ctx.workprec(bits):
        step, found = 2 / v.accurate_ball(bits), [mass]
        for x in range(last, first, -1):
            after, mass = mass, after + step * x * mass
            found.append(mass)
    return found[::-1]


def reach(v: Real, x: int, bits: int) -> int:
    """A place beyond x >= 0 where the masses have fallen by about 2^-bits: where -log f grows about as asinh(x/v)."""
    variance, fall, more = float(v), bits * log(2), 0.0
    slope = x / (variance + x)
    for _ in range(4):
        more = 2 * fall / (slope + sqrt(slope**2 + 2 * fall / (variance + x + more)))
    return x + int(more) + GUARD


def beyond(last: arb, after: arb) -> arb:
    """What lies beyond K, from f(K) and f(K+1)."""
    return after.union(after / (1 - after / last))
