"""The tail of a law over its first mass, by a continued fraction of positive terms that brackets it when it is cut off.

Where the law is narrow or its masses fall fast, the ratios of its masses are summed directly.  Floats choose between
the ways and lengths; balls and whole numbers make the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import asinh, ceil, inf, log, log2, sqrt

from flint import arb, ctx, fmpz

SHORT = 8
"""Binary places of coefficients that are cheaper as they are than as numbers of full length."""


@dataclass(frozen=True, slots=True)
class Side:
    """The masses from one point outward, relative to the first, w_0 = 1, w_1, ..., and the numbers of their fraction.

    `step(j)` = w_(j+1)/w_j does not increase in j.  With f_m the sum of C(j, m) w_j over j, so that S = f_0, and
    rho_m = m f_m/f_(m-1): multiplying the law's ratio w_j/w_(j-1) by C(j, m), clearing its denominator and summing
    over j >= 1 gives S = `scale`/(`margin` + rho_1) and rho_m = alpha_m/(beta_m + rho_(m+1)), where
    alpha_m = `rate` m (`length` - m), or `rate` m without a length, and beta_m = `margin` + m `slope`.
    """

    step: Callable[[int], arb]
    scale: arb
    margin: arb
    slope: arb
    rate: arb
    length: int | None


def side_sum(side: Side, distance: float, bits: int) -> arb:
    """The sum S; `distance` from the mean in standard deviations, infinite for a narrow law, guides the length."""
    if distance == inf or not side.margin > 0 or float(side.step(0)) < 0.5:
        return summed_side(side, bits)
    count = terms_needed(bits, distance)
    (total, known) = (fraction_side(side, count), 0)
    while known < total.rel_accuracy_bits() < bits:
        (known, count) = (total.rel_accuracy_bits(), 2 * count)
        total = fraction_side(side, count)
    return total


def terms_needed(bits: int, distance: float) -> int:
    """About how many terms of the fraction give so many bits: term n multiplies the error by exp(-2 asinh(d/(2 n^.5))).

    That is its effect for the normal law, whose fraction has alpha_n = n and beta_n = d, the distance.  The sum over n,
    as an integral, is inverted by Newton's method.
    """
    (half, wanted) = (distance / 2, (bits + 4) * log(2) / 2)
    count = (wanted / distance) ** 2
    for _ in range(3):
        reached = count * asinh(half / sqrt(count)) + half * (sqrt(count + half * half) - half)
        count += (wanted - reached) / asinh(half / sqrt(count))
    return ceil(count) + 3


def summed_side(side: Side, bits: int) -> arb:
    """S = 1 + r_0 (1 + r_1 (1 + ...)), cut off where the rest is between 1 and 1/(1-r)."""
    (steps, rest, left) = (list[arb](), arb(1), float(bits))
    while side.length is None or len(steps) < side.length - 1:
        step = side.step(len(steps))
        if left < 0 and step < 1:
            rest = arb(1).union(1 / (1 - step))
            break
        left += log2(max(float(step), 1e-300))
        steps.append(step)
    for step in reversed(steps):
        rest = 1 + step * rest
    return rest


def fraction_side(side: Side, count: int) -> arb:
    """S from `count` terms of its continued fraction, for margin + slope > 0, in whole numbers.

    Dividing alpha by g^2 and beta by g makes alpha whole.  Then rho_1 = g alpha_1 D_2/D_1, where
    D_n = beta_n D_(n+1) + alpha_(n+1) D_(n+2) from D_(count+1) = 1, D_(count+2) = 0, but for the rest r = rho_(count+1)
    that is left out: it is between 0 and alpha/beta, and changes alpha_1 D_2/D_1 by at most r times the product of all
    alpha, over D_1^2 (the determinant of the fraction).

    *Rounding*: all terms are positive, so D has at most the relative errors of all steps together, and a step has three
    of at most e: of beta, of its product rounded down, and of the low bits that `continuants` drops.  So D_2/D_1 is off
    by a factor within (1 + e)^(3 count)/(1 - e)^(3 count), which is below 1 + 12 count e where that is below 2, and
    D_1^2 by one below 2.
    """
    (size, bits) = (side.length, ctx.prec)
    count = count if size is None else min(count, size - 1)
    if count == 0:
        return side.scale / side.margin
    (g, shift, weight) = units(side, bits)
    (first, slope) = ((side.margin + side.slope) / g, side.slope / g)
    (start, step) = (whole(first, shift), whole(slope, shift))
    numbers = range(count + 1, 1, -1)
    alphas = [weight * n * (size - n) for n in numbers] if size else [weight * n for n in numbers]
    (d_one, d_two, dropped) = continuants(start + step * (count - 1), step, shift, alphas, bits)
    error = arb(2) ** -bits
    if shift:
        error += count * (1 + (first.rad() + slope.rad()) * (fmpz(1) << shift)) / start
    error *= 12 * count
    if not error < 1:
        return arb.nan()
    below = arb(d_one)
    ratio = arb(weight * (size - 1 if size else 1) * d_two) / below
    doubt = error * ratio
    if count + 1 != size:
        rest = product_bound(count + 1, size, weight) / ((first + count * slope) * below * below)
        doubt += 2 * rest * arb(2) ** (-2 * dropped)
    return side.scale / (side.margin + g * (ratio + arb(0, doubt.upper())).nonnegative_part())


def units(side: Side, bits: int) -> tuple[arb, int, int]:
    """(g, shift, w): beta/g is a multiple of 2^-shift, but for its last digit, and alpha/g^2 is w n (length - n).

    In general g^2 is the rate; where margin, slope and rate are short binary fractions, they become whole themselves.
    """
    if (side.margin + side.slope).is_exact() and side.rate.is_exact() and side.slope.is_exact():
        exponents = (side.margin.man_exp()[1], side.slope.man_exp()[1], side.rate.man_exp()[1])
        places = max(0, -int(min(exponents)))
        if places <= SHORT:
            return arb(2) ** -places, 0, whole(side.rate, 2 * places)
    return side.rate.sqrt(), bits, 1


def continuants(beta: int, step: int, shift: int, alphas: Sequence[int], bits: int) -> tuple[int, int, int]:
    """(D_1, D_2, dropped) for `fraction_side`, both in units of 2^dropped, from the last beta and alpha to the first.

    D_n is at least D_(n+2), as alpha is whole, and low bits are dropped in such a way that 2^bits units are left.
    """
    dropped = -bits - max(0, shift + 1 - beta.bit_length())
    (previous, current) = (0, 1 << -dropped)
    for high in range(0, len(alphas), 8):
        if shift:
            for alpha in alphas[high : high + 8]:
                (previous, current) = (current, (beta * current >> shift) + alpha * previous)
                beta -= step
        else:  # the same without a shift, which saves a sixth of the time
            for alpha in alphas[high : high + 8]:
                (previous, current) = (current, beta * current + alpha * previous)
                beta -= step
        excess = min(current, previous).bit_length() - bits - 1
        if excess > 0:
            (previous, current, dropped) = (previous >> excess, current >> excess, dropped + excess)
    return current, previous, dropped


def product_bound(count: int, length: int | None, weight: int) -> arb:
    """A bound on the product of w n (length - n), or w n, for n = 1..count: by the mean of the length - n."""
    mean = arb(weight) if length is None else arb(weight * (2 * length - count - 1)) / 2
    return arb(count + 1).gamma() * mean ** fmpz(count)


def whole(value: arb, bits: int) -> int:
    """The middle of a positive ball in units of 2^-bits, within one of them."""
    (mantissa, exponent) = value.mid().man_exp()
    shift = int(exponent) + bits
    return int(mantissa) << shift if shift >= 0 else int(mantissa) >> -shift
