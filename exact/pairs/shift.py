"""The shift family: the hockey-stick divergence between Bin(l, p) and 1 + Bin(l, p).

E = e^eps, b(x) and F(x) are the mass and the lower tail of Bin(l, p).  The ratio b(x)/b(x-1) falls in x, so
the points where b(x) > E b(x-1) are those up to one cut c, and delta = F(c) - E F(c-1) = E b(c) - (E-1) F(c).
This is the pair (upper, lower) = (Bin, 1 + Bin); the opposite one is the same with 1-p in place of p.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import comb

from flint import arb, ctx
from panshuffle.exact.certified import FIRST_PRECISION, LAST_PRECISION, precise
from panshuffle.exact.errors import Undecided
from panshuffle.exact.laws.noise import GUARD, binomial_law, lower_tail
from panshuffle.exact.parameters import check_between, check_count, check_positive
from panshuffle.exact.real import Real, real

NEAR_ONE = 1.0 + 2.0**-GUARD
"""Above, E - 1 loses fewer bits than there are to spare if it is computed from E."""


def shift_cut(l: int, p: Real, exp_eps: Real) -> tuple[int, bool]:
    """The largest c with b(c) > E b(c-1), and whether it is certain; an uncertain one is c or c + 1.

    >>> shift_cut(20, real("1/2"), real(2))
    (6, True)
    """
    check_shift(l, p, exp_eps)
    if not (p.terms or exp_eps.terms):
        return rational_cut(l, p.constant, exp_eps.constant), True
    settled = settled_cut(l, p, exp_eps)
    if settled is not None:
        return settled, True
    return cut_below(p * (l + 1) / (p + exp_eps * (1 - p)))


def cut_below(edge: Real) -> tuple[int, bool]:
    """The last whole number c >= 0 below an edge, or 0, and whether it is certain; an uncertain one is c or c + 1."""
    try:
        return max(edge.ceil() - 1, 0), True
    except Undecided:
        return max(tied_integer(edge) - 1, 0), False


def rational_cut(l: int, p: Fraction, exp_eps: Fraction) -> int:
    """The cut for rational p and E: the largest whole number below the edge, where that is positive."""
    (yes, of, factor) = (p.numerator, p.denominator, exp_eps.denominator)
    edge_top = yes * (l + 1) * factor
    return max(edge_top - 1, 0) // (yes * factor + exp_eps.numerator * (of - yes))


def settled_cut(l: int, p: Real, exp_eps: Real) -> int | None:
    """The cut where a ball settles it at once: the edge is strictly between two whole numbers."""
    with ctx.workprec(FIRST_PRECISION + l.bit_length()):
        chance = p.ball_here()
        edge = chance * (l + 1) / (chance + exp_eps.ball_here() * (1 - chance))
        below = edge.floor().unique_fmpz()
        return max(int(below), 0) if below is not None and edge > below else None


def tied_integer(edge: Real) -> int:
    """The whole number next to `edge`.  *Raises* `Undecided` unless it is within a quarter."""
    ball = edge.ball(LAST_PRECISION)
    with ctx.workprec(LAST_PRECISION):
        nearest = (ball + arb(0.5)).floor().unique_fmpz()
        if nearest is None or not abs(ball - nearest) < 0.25:
            raise Undecided(f"the integer part of {edge} is not decided with {LAST_PRECISION} bits")
    return int(nearest)


def check_shift(l: int, p: Real, exp_eps: Real) -> None:
    """*Raises* `ParameterError` unless l >= 0, 0 <= p <= 1 and E > 0."""
    check_count("l", l, 0)
    check_between("p", p, 0, 1)
    check_positive("exp_eps", exp_eps)


def shift_delta(l: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of the divergence of Bin(l, p) from 1 + Bin(l, p), with `precision` correct bits.

    >>> shift_delta(20, real("1/2"), real(2), 64).str(12, radius=False)
    '0.0162696838379'
    """
    (c, certain) = shift_cut(l, p, exp_eps)
    if l == 0 or p.fraction in (0, 1):
        return arb(1)
    first = cut_delta(l, p, exp_eps, c, certain, precision + GUARD // 2)
    if first.is_finite() and first.rel_accuracy_bits() >= precision:
        return first
    at_cut = partial(cut_delta, l, p, exp_eps, c, certain)
    return precise(at_cut, precision, "the divergence of a shifted binomial law", 2 * precision + GUARD)


def cut_delta(l: int, p: Real, exp_eps: Real, c: int, certain: bool, precision: int) -> arb:
    """E b(c) - (E-1) F(c), and if c is not certain what the next point may add."""
    bits = precision + GUARD + l.bit_length()
    with ctx.workprec(bits):
        law = binomial_law(l, p, bits - 2)
        factor = exp_eps.ball_here()
        excess = factor - 1 if factor > NEAR_ONE else (exp_eps - 1).ball_here()
        mass = law.mass(c)
        delta = factor * mass - excess * lower_tail(law, c, precision, mass)
        if certain:
            return delta
        return delta + (law.mass(c + 1) - factor * mass).nonnegative_part()


def shift_delta_exact(l: int, p: Fraction, exp_eps: Fraction) -> Fraction:
    """The divergence of Bin(l, p) from 1 + Bin(l, p), as a rational.

    >>> shift_delta_exact(20, Fraction(1, 2), Fraction(2))
    Fraction(4265, 262144)
    """
    if l == 0 or p in (0, 1):
        check_shift(l, real(p), real(exp_eps))
        return Fraction(1)
    c, _ = shift_cut(l, real(p), real(exp_eps))
    (yes, no) = (p.numerator, p.denominator - p.numerator)
    masses = [comb(l, x) * Fraction(yes) ** x * Fraction(no) ** (l - x) for x in range(c + 1)]
    return (sum(masses, Fraction()) - exp_eps * sum(masses[:-1], Fraction())) / Fraction(p.denominator) ** l
