"""Two binomial pools that a changed user touches, one up and one down.

X and Y are independent Bin(l, p), M = l + 1; upper = (X+1, Y), lower = (X, Y+1).  The ratio of the masses at
(x, y) is x (M-y) / (y (M-x)), without p, so it is above E = e^eps for x > E y M / (M - y + E y).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, log

from flint import arb, ctx

from exact.laws.noise import GUARD, binomial_law, working_bits
from exact.numbers.certified import refine
from exact.numbers.real import Real, real
from exact.pairs.opposite_shifts import Boundary, boundary_delta, factor_bounds, moderate_float, window
from exact.pairs.shift import check_shift


def pair_threshold(numerator: int, denominator: int, l: int, y: int) -> int:
    """The largest x <= l where the ratio at (x, y) is at most numerator/denominator, for 0 <= y <= l."""
    return numerator * y * (l + 1) // (denominator * (l + 1 - y) + numerator * y)


def binomial_pair_delta(l: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """The divergence of (X+1, Y) from (X, Y+1) for independent X, Y ~ Bin(l, p), with `precision` correct bits.

    >>> binomial_pair_delta(12, real("1/2"), real("9/4"), 64).str(15, radius=False)
    '0.100264400243759'
    """
    check_shift(l, p, exp_eps)
    if l == 0 or p.fraction in (0, 1):
        return arb(1)
    first = precision + GUARD // 2
    return refine(
        lambda bits: binomial_rows(l, p, exp_eps, bits, bits == first),
        lambda ball: ball.rel_accuracy_bits() >= precision,
        "the divergence of a pair of binomial pools",
        first,
    )


def binomial_rows(l: int, p: Real, exp_eps: Real, precision: int, narrow: bool) -> arb:
    """The divergence, with the rows that matter at this precision."""
    bits = working_bits(precision, 4 * l)
    with ctx.workprec(bits):
        boundary = pair_boundary(l, p, exp_eps, bits)
        rows = window(boundary, precision, narrow)
        return boundary_delta(boundary, rows, exp_eps.ball(bits), precision + GUARD)


def pair_boundary(l: int, p: Real, exp_eps: Real, bits: int) -> Boundary:
    """Where the ratio is E, and the law, in balls of `bits` bits."""
    (yes, no, factor) = (moderate_float(p * l), moderate_float((1 - p) * l), moderate_float(exp_eps))
    (least, most, scale) = factor_bounds(exp_eps, bits)

    def rate(x: float) -> float:
        return (x * log(x / yes) if x > 0 else 0) + ((l - x) * log((l - x) / no) if x < l else 0)

    return Boundary(
        binomial_law(l, p, bits),
        lambda y: (pair_threshold(least, scale, l, y), pair_threshold(most, scale, l, y)),
        rate,
        lambda y: min(factor * y * (l + 1) / (max(l + 1 - y, 0) + factor * y), l + 1.0),
        yes,
    )


def binomial_pair_delta_exact(l: int, p: Fraction, exp_eps: Fraction) -> Fraction:
    """The divergence of (X+1, Y) from (X, Y+1) for independent X, Y ~ Bin(l, p), as a rational.

    >>> binomial_pair_delta_exact(12, Fraction(1, 2), Fraction(9, 4))
    Fraction(3364315, 33554432)
    """
    check_shift(l, real(p), real(exp_eps))
    if p in (0, 1):
        return Fraction(1)
    odds = p / (1 - p)
    masses = [comb(l, x) * odds**x for x in range(l + 1)]
    tails = [Fraction(0)]
    for mass in reversed(masses):
        tails.append(tails[-1] + mass)
    tails.reverse()
    total = tails[0] * masses[0]
    for y in range(1, l + 1):
        t = pair_threshold(exp_eps.numerator, exp_eps.denominator, l, y)
        total += masses[y] * tails[t] - exp_eps * masses[y - 1] * tails[t + 1]
    return total * (1 - p) ** (2 * l)
