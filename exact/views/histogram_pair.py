"""Two bins of a histogram with binomial noise: one gains what the other loses."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from exact.curves.curve import DISJOINT, Curve
from exact.errors import ParameterError
from exact.numbers.real import Real, exp, log, real
from exact.pairs.binomial_pair import binomial_pair_delta, binomial_pair_delta_exact

LARGEST_EXACT = 400
LARGEST_SIZE = 10**12


def pair_curve(l: int, p: Real) -> Curve:
    """(1 + Bin) x Bin against Bin x (1 + Bin); exchanging the bins exchanges the directions."""
    if l == 0 or p.fraction in (0, 1):
        return DISJOINT
    if l > LARGEST_SIZE:
        raise ParameterError("l", l, f"at most {LARGEST_SIZE} for a pair: the work grows with its square root")

    def ball(exp_eps: Real, precision: int) -> arb:
        return binomial_pair_delta(l, p, exp_eps, precision)

    q, all_ones, all_zeros = p.fraction, exp(l * log(p)), exp(l * log(1 - p))
    limit = all_ones + all_zeros - all_ones * all_zeros
    if q is None or l > LARGEST_EXACT:
        return Curve(ball, limit=limit, limit_reached=real(l**2))
    return Curve(ball, lambda e: binomial_pair_delta_exact(l, Fraction(q), e), limit=limit, limit_reached=real(l**2))
