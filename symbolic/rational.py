"""Rationals as the provers' normal forms need them: a common unit, prime powers, roots."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm

from flint import fmpz, fmpz_poly

SMALL_PRIMES = 1_229
"""How many primes are divided out: those below 10,000."""


def common_unit(values: Iterable[Fraction]) -> Fraction:
    """The largest rational of which all values, not all of them 0, are whole multiples.

    >>> common_unit([Fraction(2, 3), Fraction(-1, 2)])
    Fraction(1, 6)
    """
    known = list(values)
    return Fraction(gcd(*(value.numerator for value in known)), lcm(*(value.denominator for value in known)))


def prime_powers(value: Fraction) -> dict[int, int]:
    """The prime factors of a positive rational with their exponents; a factor without small divisors stays whole.

    >>> prime_powers(Fraction(12, 5))
    {2: 2, 3: 1, 5: -1}
    """
    above, below = (fmpz(part).factor(trial_limit=SMALL_PRIMES) for part in value.as_integer_ratio())
    return {int(p): int(e) for p, e in above} | {int(p): -int(e) for p, e in below}


def rational_roots(coefficients: list[Fraction]) -> list[Fraction]:
    """The rational roots of a polynomial that is not 0, from its coefficients, the constant first.

    >>> rational_roots([Fraction(-1, 2), Fraction(0), Fraction(2)])
    [Fraction(-1, 2), Fraction(1, 2)]
    """
    unit = common_unit(coefficients)
    _, factors = fmpz_poly([int(c / unit) for c in coefficients]).factor()
    lines = [factor.coeffs() for factor, _ in factors if factor.degree() == 1]
    return sorted(Fraction(-int(constant), int(slope)) for constant, slope in lines)
