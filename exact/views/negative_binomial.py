"""Negative binomial noise: NB(l, p) against 1 + NB(l, p), in both directions.

b, F and T are the mass, the lower and the upper tail of NB(l, p), q = 1 - p and E = e^eps.  The likelihood ratio
b(x)/b(x-1) = q (x+l-1)/x is infinite at 0 and falls to q, strictly for l > 1; so either direction has one cut.

lose, NB as the upper law: b(x) > E b(x-1) where x < q(l-1)/(E-q) or x = 0, so up to a cut c, and
delta = F(c) - E F(c-1) = E b(c) - (E-1) F(c).  At E >= ql the cut is 0, and delta stays at p^l, which 1 + NB lacks.

gain, 1 + NB as the upper law: b(x-1) > E b(x) where x (1 - Eq) > E q (l-1), for E < 1/q from a cut c on, and
delta = T(c-1) - E T(c) = b(c-1) - (E-1) T(c).  At E >= 1/q no x is left: delta is 0, and for every smaller E it is not,
as the ratio tends to 1/q.  Each term is at most b(x-1) (1 - Eq), so delta <= 1 - Eq; for l = 1 they are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from flint import arb, ctx
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, DISJOINT, THIS_PAIR, Curve, View, is_certified_at_least, worse
from panshuffle.exact.errors import Undecided
from panshuffle.exact.laws.negative_binomial import (
    check_noise,
    far_point,
    law_of_negative_binomial,
    lower_ball,
    lower_exact,
    mass_ball,
    upper_ball,
)
from panshuffle.exact.laws.noise import GUARD
from panshuffle.exact.numbers.certified import FIRST_PRECISION, Certified, precise
from panshuffle.exact.numbers.real import Real, exp, log, real
from panshuffle.exact.pairs.shift import cut_below, tied_integer

if TYPE_CHECKING:
    from panshuffle.exact.curves.law_pair import LawPair

LARGEST_EXACT = 2000
WHY = (
    "One bit moves the sum by at most 1, so the view is shifted by at most 1; both directions are covered, and a "
    "shift by 0 gives delta = 0."
)
WHAT = "the divergence of a shifted negative binomial law"


@dataclass(frozen=True)
class ShiftCurve(Curve):
    """A curve whose exact values are affordable at some e^eps, and enclosed at the others."""

    affordable: Callable[[Fraction], bool] = field(kw_only=True)

    def delta(self, exp_eps: Real) -> Certified:
        """delta at e^eps."""
        e = exp_eps.fraction
        if e is None or e < 1 or self.affordable(e):
            return super().delta(exp_eps)
        return Certified(lambda precision: self.ball(exp_eps, precision), probability=True)


def view(l: int, p: Real, direction: str | None = None) -> View:
    """The view of f(x) + NB(l, p); direction "gain" has 1 + NB as the upper law, "lose" has NB.

    >>> view(3, real("1/2")).curve.delta(real(1)).exact
    Fraction(3, 16)
    """
    check_noise(l, p)
    scope = ALL_NEIGHBOURS if direction is None else THIS_PAIR
    return View(shift_curve(l, p, direction), scope, WHY)


def shift_curve(l: int, p: Real, direction: str | None = None) -> Curve:
    """The curve of one shift of NB(l, p) in one direction, or the worse of both; for l = 1 that is p, and lose's."""
    if p.fraction == 1:
        return DISJOINT
    gain, lose = gain_curve(l, p), lose_curve(l, p)
    if direction == "gain":
        return gain
    if direction == "lose" or l == 1:
        return lose
    both, reached = worse(gain, lose), l * (1 - p)
    lasting = reached if gain_is_less(l, p, reached) else None
    return ShiftCurve(both.ball, both.exact, limit=both.limit, limit_reached=lasting, affordable=gain.affordable)


def gain_is_less(l: int, p: Real, exp_eps: Real) -> bool:
    """Whether gain is certified to be at most p^l where lose reaches that: at E = lq, or at 1 if lq is less."""
    if is_certified_at_least(real(1), exp_eps):
        return True  # both directions have the same delta at E = 1, and gain's falls
    return bool(gain_ball(l, p, exp_eps, FIRST_PRECISION) < mass_ball(l, p, 0, FIRST_PRECISION))


def lose_curve(l: int, p: Real) -> Curve:
    """NB as the upper law; a cut lies below q(l-1)/p, its value at E = 1."""
    cheap = p.fraction is not None and (l - 1) / p.fraction <= LARGEST_EXACT
    exact = partial(lose_exact, l, p.fraction) if p.fraction is not None and cheap else None
    return Curve(partial(lose_ball, l, p), exact, limit=exp(l * log(p)), limit_reached=l * (1 - p))


def gain_curve(l: int, p: Real) -> ShiftCurve:
    """1 + NB as the upper law; its cut has no bound."""
    f = p.fraction
    exact = None if f is None else partial(gain_exact, l, f)
    return ShiftCurve(
        partial(gain_ball, l, p), exact, 1 / (1 - p), affordable=lambda e: f is None or gain_affordable(l, f, e)
    )


def lose_cut(l: int, p: Real, exp_eps: Real) -> tuple[int, bool]:
    """The last x with b(x) > E b(x-1) and whether it is certain; an uncertain one is c or c + 1."""
    q = 1 - p
    if is_certified_at_least(exp_eps, l * q):
        return 0, True
    return cut_below(q * (l - 1) / (exp_eps - q))


def lose_ball(l: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """E b(c) - (E-1) F(c), and what the next point may add if c is not certain, with `precision` correct bits."""
    c, certain = lose_cut(l, p, exp_eps)
    if certain and c == 0:
        return mass_ball(l, p, 0, precision)

    def evaluate(bits: int) -> arb:
        with ctx.workprec(bits):
            factor, mass = exp_eps.ball(bits), mass_ball(l, p, c, bits)
            delta = factor * mass - (exp_eps - 1).ball(bits) * lower_ball(l, p, c, bits)
            return delta if certain else delta + (mass_ball(l, p, c + 1, bits) - factor * mass).nonnegative_part()

    return precise(evaluate, precision, WHAT, precision + GUARD)


def lose_exact(l: int, p: Fraction, e: Fraction) -> Fraction:
    """F(c) - E F(c-1), as a rational."""
    c, _ = lose_cut(l, real(p), real(e))
    return lower_exact(l, p, c) - e * lower_exact(l, p, c - 1)


def gain_cut(l: int, p: Real, exp_eps: Real) -> tuple[int, bool]:
    """The first x with b(x-1) > E b(x), for E < 1/q, and whether it is certain; an uncertain one is c or c - 1."""
    share = exp_eps * (1 - p)
    edge = share * (l - 1) / (1 - share)
    try:
        return edge.floor() + 1, True
    except Undecided:
        return tied_integer(edge) + 1, False


def gain_ball(l: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """b(c-1) - (E-1) T(c), and what the point before may add; where that is not decided, from 0 to 1 - Eq."""
    room = 1 - exp_eps * (1 - p)
    try:
        return arb(0) if room.sign() <= 0 else gain_before_the_end(l, p, exp_eps, precision)
    except Undecided:
        with ctx.workprec(precision):
            return arb(0).union(room.ball_here().nonnegative_part())


def gain_before_the_end(l: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """The same for E < 1/q.  *Raises* `Undecided` too close to it."""
    c, certain = gain_cut(l, p, exp_eps)

    def evaluate(bits: int) -> arb:
        with ctx.workprec(bits):
            mass = mass_ball(l, p, c - 1, bits)
            delta = mass - (exp_eps - 1).ball(bits) * upper_ball(l, p, c, bits)
            before = mass_ball(l, p, c - 2, bits) - exp_eps.ball(bits) * mass
            return delta if certain else delta + before.nonnegative_part()

    return precise(evaluate, precision, WHAT, precision + GUARD)


def gain_affordable(l: int, p: Fraction, e: Fraction) -> bool:
    """Whether the cut is near, or beyond the end of the curve."""
    share = e * (1 - p)
    return share >= 1 or share * (l - 1) / (1 - share) + l <= LARGEST_EXACT


def gain_exact(l: int, p: Fraction, e: Fraction) -> Fraction:
    """T(c-1) - E T(c), as a rational."""
    if e * (1 - p) >= 1:
        return Fraction(0)
    c, _ = gain_cut(l, real(p), real(e))
    return 1 - lower_exact(l, p, c - 2) - e * (1 - lower_exact(l, p, c - 1))


def shifted_pair(l: int, p: Real, digits: int | None) -> LawPair:
    """1 + NB against NB, as a table."""
    from panshuffle.exact.views.pair_tables import DEFAULT_DIGITS, check_cells, fixed, poisson_axis, shifted, table

    if p.fraction == 1:
        return table(shifted(law_of_negative_binomial(l, p)), digits)
    shown = DEFAULT_DIGITS if digits is None else digits
    precision = shown * 10 // 3 + 32
    check_cells(far_point(l, p, Real(Fraction(1, 1 << precision))))
    more, fewer = poisson_axis(law_of_negative_binomial(l, p).enclose(precision), shown + 1)
    return table((fixed(more), fixed(fewer)), shown)
