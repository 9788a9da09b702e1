"""Skellam noise, the difference of two independent Pois(v/2): mean 0, variance v; masses and tails.

*Formula*: P[X = x] = f(x) = e^-v I_|x|(v), I the modified Bessel function.  f is even and log-concave, since Poisson
laws are, so f(x+1)/f(x) falls in x, and what lies beyond K >= 0 is between f(K+1) and f(K+1)/(1 - f(K+1)/f(K)).  Masses
next to each other come from f(x-1) = f(x+1) + (2x/v) f(x), downward, where every term is positive.
"""

from __future__ import annotations

from functools import partial
from math import log, sqrt

from flint import arb, ctx
from panshuffle.exact.laws.law import Law, Masses, enclosed_law
from panshuffle.exact.laws.noise import GUARD, working_bits
from panshuffle.exact.numbers.certified import FIRST_PRECISION, precise
from panshuffle.exact.numbers.real import Real
from panshuffle.exact.parameters import check_positive, refuse_if

LARGEST_VARIANCE = 10**9
"""A tail near the centre sums about sqrt(2 v bits) masses, half a second for this v."""
WHAT = "a mass of a Skellam law"


def check_noise(v: Real, letter: str = "lam") -> None:
    """*Raises* `ParameterError` unless 0 < v <= 10^9."""
    check_positive(letter, v)
    refuse_if(v > LARGEST_VARIANCE, letter, v, f"such that the noise has a variance of at most {LARGEST_VARIANCE}")


def mass_ball(v: Real, x: int, precision: int) -> arb:
    """P[X = x], with `precision` correct bits.

    >>> from panshuffle.exact.numbers.real import real
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


def upper_ball(v: Real, x: int, precision: int) -> arb:
    """P[X >= x], to about `precision` bits.

    >>> from panshuffle.exact.numbers.real import real
    >>> upper_ball(real(1), 1, 53).str(10, radius=False)
    '0.2671201962'
    """
    bits = precision + GUARD
    if x <= 0:
        with ctx.workprec(bits):
            return 1 - upper_ball(v, 1 - x, precision)
    return precise(partial(summed_tail, v, x), precision, "a tail of a Skellam law", bits)


def summed_tail(v: Real, x: int, bits: int) -> arb:
    """P[X >= x] for x >= 1, from masses of so many bits."""
    *found, last, after = masses(v, x, reach(v, x, bits), bits)
    with ctx.workprec(bits):
        return sum(found, arb(0)) + last + beyond(last, after)


def far_point(v: Real, most: Real) -> int:
    """Some x >= 0 with P[|X| > x] <= most, for a positive `most`, less than twice as large as need be, but for 0."""
    x, bound = 0, most.accurate_ball(FIRST_PRECISION)
    while not 2 * upper_ball(v, x + 1, FIRST_PRECISION) <= bound:
        x = 2 * x + 1
    return x


def law_of_skellam(v: Real) -> Law:
    """The law with variance v, with an enclosed tail."""
    check_noise(v)

    def enclose(precision: int) -> Masses:
        found = masses(v, 0, reach(v, 0, precision) + 1, precision)
        with ctx.workprec(precision + GUARD):
            tail = 2 * beyond(found[-2], found[-1])
        return Masses({sign * x: mass for x, mass in enumerate(found[:-1]) for sign in (1, -1)}, tail)

    return enclosed_law(enclose)
