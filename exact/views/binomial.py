"""Binomial noise: the mechanism, Bin(l, p) against 1 + Bin(l, p), and two bins where one gains what the other loses."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from panshuffle.exact.curves.curve import (
    ALL_NEIGHBOURS,
    DISJOINT,
    THIS_PAIR,
    Curve,
    PaperBound,
    View,
    exponential_bound,
    worse,
)
from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta, binomial_pair_delta_exact
from panshuffle.exact.pairs.shift import shift_delta, shift_delta_exact
from panshuffle.exact.parameters import check_between, check_count, refuse_if
from panshuffle.exact.real import Real, exp, log, real

LARGEST_EXACT = 2000
WHY = (
    "A 1-sensitive f moves by at most 1, so the view is shifted by at most 1; both directions are covered, and a "
    "shift by 0 gives delta = 0."
)


LARGEST_EXACT_PAIR = 400
LARGEST_SIZE = 10**12


def view(l: int, p: Real, direction: str | None = None) -> View:
    """The view of f(x) + Bin(l, p); direction "gain" has 1 + Bin as the upper law, "lose" has Bin.

    >>> view(20, real("1/2")).curve.delta(real(2)).exact
    Fraction(4265, 262144)
    """
    check_count("l", l, least=0)
    check_between("p", p, Fraction(0), Fraction(1))
    scope = ALL_NEIGHBOURS if direction is None else THIS_PAIR
    return View(shift_curve(l, p, direction), scope, WHY, paper_bound(l, p))


def shift_curve(l: int, p: Real, direction: str | None = None) -> Curve:
    """The curve of one shift of Bin(l, p) in one direction, or the worse of both."""
    if l == 0 or p.fraction in (0, 1):
        return DISJOINT
    gain, lose = one_direction(l, 1 - p), one_direction(l, p)
    if direction is not None:
        return gain if direction == "gain" else lose
    return lose if p.fraction == Fraction(1, 2) else worse(gain, lose)


def one_direction(l: int, p: Real) -> Curve:
    """Bin(l, p) as the upper law; the other direction is the same with 1 - p, by reflection."""
    exact = None if p.fraction is None or l > LARGEST_EXACT else partial(shift_delta_exact, l, p.fraction)
    return Curve(partial(shift_delta, l, p), exact, limit=exp(l * log(1 - p)), limit_reached=l * p / (1 - p))


def paper_bound(l: int, p: Real) -> PaperBound:
    """Lemma b_noise: l * min(p, 1-p) >= 10 c^2 ln(2/delta)."""
    return exponential_bound("binomial-mechanism", l * least(p) / 10)


def least(p: Real) -> Real:
    """min(p, 1 - p)."""
    return p if p <= Fraction(1, 2) else real(1) - p


def pair_curve(l: int, p: Real) -> Curve:
    """(1 + Bin) x Bin against Bin x (1 + Bin); exchanging the bins exchanges the directions."""
    if l == 0 or p.fraction in (0, 1):
        return DISJOINT
    refuse_if(l > LARGEST_SIZE, "l", l, f"at most {LARGEST_SIZE} for a pair: the work grows with its square root")
    exact = None if p.fraction is None or l > LARGEST_EXACT_PAIR else partial(binomial_pair_delta_exact, l, p.fraction)
    all_ones, all_zeros = exp(l * log(p)), exp(l * log(1 - p))
    limit = all_ones + all_zeros - all_ones * all_zeros
    return Curve(partial(binomial_pair_delta, l, p), exact, limit=limit, limit_reached=real(l**2))
