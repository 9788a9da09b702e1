"""Binomial noise: the divergence between Bin(l, p) and 1 + Bin(l, p), and the protocols whose views are such shifts.

E = e^eps, b(x) and F(x) are the mass and the lower tail of Bin(l, p).  The ratio b(x)/b(x-1) falls in x, so
the points where b(x) > E b(x-1) are those up to one cut c, and delta = F(c) - E F(c-1) = E b(c) - (E-1) F(c).
This is the pair (upper, lower) = (Bin, 1 + Bin); the opposite one is the same with 1-p in place of p.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb, ctx
from panshuffle.exact.curves.curve import (
    ALL_NEIGHBOURS,
    DISJOINT,
    NO_NEIGHBOUR,
    THIS_PAIR,
    Curve,
    PaperBound,
    View,
    exponential_bound,
    worse,
)
from panshuffle.exact.errors import Undecided
from panshuffle.exact.laws.noise import GUARD, binomial_law, lower_tail
from panshuffle.exact.parameters import check_between, check_count, check_shift, refuse_if
from panshuffle.exact.real import HALF, LAST_PRECISION, Real, exp, floor_of, log, precise, real

NEAR_ONE = 1.0 + 2.0**-GUARD
"""Above, E - 1 loses fewer bits than there are to spare if it is computed from E."""
LARGEST_EXACT, LARGEST_EXACT_PAIR = 2000, 400
LARGEST_SIZE = 10**12


def shift_cut(l: int, p: Real, exp_eps: Real) -> tuple[int, bool]:
    """The largest c with b(c) > E b(c-1), and whether it is certain; an uncertain one is c or c + 1.

    It is the last whole number below p (l+1)/(p + E (1-p)), if that is positive, or 0.

    >>> shift_cut(20, real("1/2"), real(2))
    (6, True)
    """
    check_shift(l, p, exp_eps)
    if not (p.terms or exp_eps.terms):
        yes, of, factor = p.constant.numerator, p.constant.denominator, exp_eps.constant.denominator
        top, bottom = yes * (l + 1) * factor, yes * factor + exp_eps.constant.numerator * (of - yes)
        return max(top - 1, 0) // bottom, True

    def edge(precision: int) -> arb:
        with ctx.workprec(precision + l.bit_length()):
            chance = p.ball_here()
            return chance * (l + 1) / (chance + exp_eps.ball_here() * (1 - chance))

    try:
        return max(-floor_of(lambda precision: -edge(precision), lambda: "where two masses are equal") - 1, 0), True
    except Undecided:
        return max(tied_integer(edge(LAST_PRECISION)) - 1, 0), False


def tied_integer(edge: arb) -> int:
    """The whole number next to an edge.  *Raises* `Undecided` unless it is within a quarter."""
    with ctx.workprec(LAST_PRECISION):
        nearest = (edge + arb(0.5)).floor().unique_fmpz()
        if nearest is None or not abs(edge - nearest) < 0.25:
            raise Undecided(f"where two masses are equal is not decided with {LAST_PRECISION} bits")
    return int(nearest)


def shift_delta(l: int, p: Real, exp_eps: Real, precision: int) -> arb:
    """An enclosure of the divergence of Bin(l, p) from 1 + Bin(l, p), with `precision` correct bits.

    >>> shift_delta(20, real("1/2"), real(2), 64).str(12, radius=False)
    '0.0162696838379'
    """
    (c, certain) = shift_cut(l, p, exp_eps)
    if l == 0 or p.fraction in (0, 1):
        return arb(1)
    at_cut = partial(cut_delta, l, p, exp_eps, c, certain)
    return precise(at_cut, precision, "the divergence of a shifted binomial law", precision + GUARD // 2)


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
    from panshuffle.exact.laws.pool_law import noisy_count
    from panshuffle.exact.pairs.divergence import pool_gain, turned

    check_shift(l, real(p), real(exp_eps))
    return pool_gain(turned(noisy_count(l, real(p)).change(1, 0)), exp_eps)


def shift_curve(l: int, p: Real, direction: str | None = None) -> Curve:
    """The curve of one shift of Bin(l, p): "gain" has 1 + Bin as the upper law, "lose" Bin; by default the worse."""
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


def pair_curve(l: int, p: Real) -> Curve:
    """Two bins where one gains what the other loses: (1 + Bin) x Bin against Bin x (1 + Bin).

    Exchanging the bins exchanges the directions.
    """
    if l == 0 or p.fraction in (0, 1):
        return DISJOINT
    refuse_if(l > LARGEST_SIZE, "l", l, f"at most {LARGEST_SIZE} for a pair: the work grows with its square root")
    from panshuffle.exact.pairs.opposite_shifts import binomial_pair_delta, binomial_pair_delta_exact

    exact = None if p.fraction is None or l > LARGEST_EXACT_PAIR else partial(binomial_pair_delta_exact, l, p.fraction)
    all_ones, all_zeros = exp(l * log(p)), exp(l * log(1 - p))
    limit = all_ones + all_zeros - all_ones * all_zeros
    return Curve(partial(binomial_pair_delta, l, p), exact, limit=limit, limit_reached=real(l**2))


def shift_view(l: int, p: Real, direction: str | None, why: str, paper: PaperBound | None) -> View:
    """The view that is one shift of Bin(l, p), whatever the other data are."""
    return View(shift_curve(l, p, direction), ALL_NEIGHBOURS if direction is None else THIS_PAIR, why, paper)


# The protocols: why each of their views is such a shift, or two of them, and what the paper says of it.


BINOMIAL_WHY = (
    "A 1-sensitive f moves by at most 1, so the view is shifted by at most 1; both directions are covered, and a "
    "shift by 0 gives delta = 0."
)
BINARY_SUM_WHY = (
    "The shuffled messages are 2N bits, so they are determined by their number of ones up to their uniform order;"
    " changing one bit shifts it by one, whatever the other bits are."
)
PAN_SUM_WHY = (
    "If the changed bit is among the first t, the view is I_t and an output that is I_t plus something "
    "independent of the change, so it is worth as much as I_t, a shift of Bin(lam, 1/2); otherwise I_t is "
    "independent of the change and the output less I_t is such a shift.  Both are the same pair at every t."
)
PAN_HISTOGRAM_WHY = (
    "Changing one element moves one bin up and another down; as for Q_ZSUM the joint view is worth one shift of "
    "Bin(lam, 1/2) in each of the two bins, at every t, and the other bins are independent of the change."
)
SHUFFLE_HISTOGRAM_WHY = (
    "Changing one user's element moves the number of ones of one pool up and of another down by one; the pools "
    "are independent, and the shift of a pool is the same pair of laws whatever the other users hold."
)


def binomial_view(l: int, p: Real, direction: str | None = None) -> View:
    """The view of f(x) + Bin(l, p).

    >>> binomial_view(20, real("1/2")).curve.delta(real(2)).exact
    Fraction(4265, 262144)
    """
    check_count("l", l, least=0)
    check_between("p", p, Fraction(0), Fraction(1))
    paper = exponential_bound("binomial-mechanism", l * (p if p <= Fraction(1, 2) else 1 - p) / 10)
    return shift_view(l, p, direction, BINOMIAL_WHY, paper)


def binary_sum_view(users: int, p: Real, direction: str | None = None) -> View:
    """P^zsum: the sum of the bits of N = gamma*n users plus Bin(N, p)."""
    paper = exponential_bound("robust-binary-sum", users * (1 - p) / 10) if p >= HALF else None
    return shift_view(users, p, direction, BINARY_SUM_WHY, paper)


def pan_sum_view(lam: int, direction: str | None = None) -> View:
    """Q_ZSUM: (I_t, output), at every intrusion time t; Theorem zerocount-pan has lam >= 20 c^2 ln(2/delta)."""
    return shift_view(lam, HALF, direction, PAN_SUM_WHY, exponential_bound("pan-sum", real(lam) / 20))


def pan_histogram_view(k: int, lam: int, pool: bool = False, direction: str | None = None) -> View:
    """The pan-private histogram: (I_t, output) of the two bins, or of one, at every intrusion time t."""
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one stream.")
    if pool:
        return shift_view(lam, HALF, direction, PAN_HISTOGRAM_WHY, exponential_bound("pan-sum", real(lam) / 20))
    paper = exponential_bound("pan-histogram", real(lam) / 20, factor=2, eps_factor=2)
    return View(pair_curve(lam, HALF), ALL_NEIGHBOURS, PAN_HISTOGRAM_WHY, paper)


def shuffle_histogram_view(k: int, users: int, p: Real, pool: bool = False, direction: str | None = None) -> View:
    """The shuffle histogram on P^zsum: the two pools that a changed user touches, or one."""
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one dataset.")
    if pool:
        return binary_sum_view(users, p, direction)
    return View(pair_curve(users, p), ALL_NEIGHBOURS, SHUFFLE_HISTOGRAM_WHY)
