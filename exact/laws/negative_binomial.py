"""NB(l, p), the failures before the l-th success of a coin that succeeds with probability p: masses and tails.

*Formula*: P[X = x] = C(x+l-1, x) p^l (1-p)^x.  At least x failures come before the l-th success where the first
x + l - 1 tosses have at most l - 1 successes, so a tail of NB is one of a binomial law, and as cheap:
P[X >= x] = P[Bin(x+l-1, p) <= l-1], P[X <= x] = P[Bin(x+l, p) >= l], and P[X = x] = p P[Bin(x+l-1, p) = l-1].
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx
from panshuffle.exact.laws.law import Law, Masses, enclosed_law, rational_law
from panshuffle.exact.laws.noise import (
    GUARD,
    binomial_lower_ball,
    binomial_mass_ball,
    binomial_upper_ball,
    working_bits,
)
from panshuffle.exact.numbers.certified import FIRST_PRECISION
from panshuffle.exact.numbers.real import Real, scaled_bounds
from panshuffle.exact.parameters import check_between, check_count, check_positive


def check_noise(l: int, p: Real) -> None:
    """*Raises* `ParameterError` unless l >= 1 and 0 < p <= 1."""
    check_count("l", l)
    check_between("p", p, Fraction(0), Fraction(1))
    check_positive("p", p)


def mass_ball(l: int, p: Real, x: int, precision: int) -> arb:
    """P[X = x], to about `precision` bits.

    >>> from panshuffle.exact.numbers.real import HALF
    >>> mass_ball(2, HALF, 1, 53).str(10, radius=False)
    '0.2500000000'
    """
    if x < 0:
        return arb(0)
    bits = precision + GUARD
    with ctx.workprec(bits):
        return p.accurate_ball(bits) * binomial_mass_ball(x + l - 1, p, l - 1, bits)


def upper_ball(l: int, p: Real, x: int, precision: int) -> arb:
    """P[X >= x], to about `precision` bits."""
    return binomial_lower_ball(x + l - 1, p, l - 1, precision) if x > 0 else arb(1)


def lower_ball(l: int, p: Real, x: int, precision: int) -> arb:
    """P[X <= x], to about `precision` bits."""
    return binomial_upper_ball(x + l, p, l, precision) if x >= 0 else arb(0)


def lower_exact(l: int, p: Fraction, x: int) -> Fraction:
    """P[X <= x] for a rational p, by adding up the masses over one denominator.

    >>> lower_exact(2, Fraction(1, 2), 1)
    Fraction(1, 2)
    """
    yes, whole = p.numerator, p.denominator
    ways, total, power = 1, 0, 1
    for i in range(x + 1):
        total = total * whole + ways * power
        ways, power = ways * (i + l) // (i + 1), power * (whole - yes)
    return Fraction(yes**l * total, whole ** (l + x)) if x >= 0 else Fraction(0)


def far_point(l: int, p: Real, most: Real) -> int:
    """Some x with P[X > x] <= most, for a positive `most`, not many times larger than need be.

    >>> from panshuffle.exact.numbers.real import HALF
    >>> far_point(1, HALF, HALF)
    1
    """
    x, bound = max(0, scaled_bounds(l * (1 - p) / p, 0)[0]), most.accurate_ball(FIRST_PRECISION)
    while not upper_ball(l, p, x + 1, FIRST_PRECISION) <= bound:
        x = 2 * x + 1
    return x


def law_of_negative_binomial(l: int, p: Real) -> Law:
    """NB(l, p), with an enclosed tail; a point where p = 1."""
    check_noise(l, p)
    if p.fraction == 1:
        return rational_law({0: Fraction(1)})

    def enclose(precision: int) -> Masses:
        last = far_point(l, p, Real(Fraction(1, 1 << precision)))
        bits = working_bits(precision, last + l)
        mass = mass_ball(l, p, 0, bits)
        with ctx.workprec(bits):
            failure, listed = (1 - p).accurate_ball(bits), {0: mass}
            for x in range(last):
                mass *= failure * (x + l) / (x + 1)
                listed[x + 1] = mass
        return Masses(listed, upper_ball(l, p, last + 1, precision))

    return enclosed_law(enclose)
