"""Skellam noise: X against X + 1, X the difference of two Pois(v/2), v = gamma*lam.

f and T are the mass and the upper tail of X, E = e^eps.  f(x-1)/f(x) rises in x, so X + 1 is more than E times as
likely as X from one cut c on, and delta = D(c), D(c) = T(c-1) - E T(c) = f(c-1) - (E-1) T(c).  It rises without a
bound, so no eps has delta = 0.  X is symmetric, so both directions have the same delta.

The cut is near v sinh(eps), where f(x-1)/f(x), about e^asinh((x - 1/2)/v), is E.  With u the whole number above that,
balls show that u - 1 is not in the event and that u + 1 is; so delta = D(u+1) + (f(u-1) - E f(u))_+.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from flint import arb, ctx
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, Curve, View
from panshuffle.exact.laws.noise import GUARD
from panshuffle.exact.laws.skellam import beyond, check_noise, far_point, law_of_skellam, masses, reach, upper_ball
from panshuffle.exact.numbers.certified import FIRST_PRECISION, precise
from panshuffle.exact.numbers.real import Real, real

if TYPE_CHECKING:
    from panshuffle.exact.curves.law_pair import LawPair

LARGEST_CUT = real(2**48)
"""delta at an e^eps beyond this multiple of 1/v, where it is below 2^-(2^40), is between 0 and that at the multiple."""
WHAT = "the divergence of a shifted Skellam law"
WHY = (
    "Only the sum is seen, and one bit moves it by at most 1.  The noise of the users who take part is the difference "
    "of two Poisson draws, a log-concave law, so the best event is a tail, and a shift by 0 gives delta = 0; it is "
    "symmetric, so both directions are the same."
)


def view(v: Real) -> View:
    """The view of a sum with Skellam noise of variance v.

    >>> view(real(30)).curve.delta(real(2)).enclosure(6)
    ('1.67863e-6', '1.67864e-6')
    """
    check_noise(v)
    return View(Curve(partial(shift_ball, v)), ALL_NEIGHBOURS, WHY)


def shift_ball(v: Real, exp_eps: Real, precision: int) -> arb:
    """delta at e^eps, with `precision` correct bits below the largest cut."""
    if exp_eps * v > LARGEST_CUT:
        return arb(0).union(shift_ball(v, LARGEST_CUT / v, FIRST_PRECISION))
    return precise(partial(cut_ball, v, exp_eps), precision, WHAT, precision + GUARD)


def cut_ball(v: Real, exp_eps: Real, bits: int) -> arb:
    """D(u+1) + (f(u-1) - E f(u))_+, and nothing finite where these bits don't show that the cut is u or u + 1."""
    with ctx.workprec(bits):
        middle = v.ball_here() * (exp_eps.ball_here() - 1 / exp_eps.ball_here()) / 2
    u = max(0, int(middle.mid().floor().unique_fmpz() or 0)) + 1
    first = max(0, u - 2)
    *found, last, after = masses(v, first, reach(v, u, bits), bits)
    with ctx.workprec(bits):
        factor, places = exp_eps.ball_here(), {first + i: mass for i, mass in enumerate([*found, last, after])}
        below, before, at, then = (places[abs(x)] for x in (u - 2, u - 1, u, u + 1))
        if not (below <= factor * before and at >= factor * then):
            return arb.nan()
        tail = sum(found[u + 1 - first :], arb(0)) + last + beyond(last, after)
        return at - (exp_eps - 1).ball_here() * tail + (before - factor * at).nonnegative_part()


def shifted_pair(v: Real, digits: int | None) -> LawPair:
    """X + 1 against X, as a table."""
    from panshuffle.exact.laws.law import Masses
    from panshuffle.exact.views.pair_tables import DEFAULT_DIGITS, check_cells, fixed, table

    check_noise(v)
    shown = DEFAULT_DIGITS if digits is None else digits
    precision = shown * 10 // 3 + 32
    last = far_point(v, real(10) ** -(shown + 1))
    check_cells(2 * last + 1)
    listed = law_of_skellam(v).enclose(precision).listed
    with ctx.workprec(precision):
        both = 2 * upper_ball(v, last + 1, precision)
        uneven = upper_ball(v, last, precision) + upper_ball(v, last + 2, precision)
    more, fewer = ({x: listed[x - by] for x in range(-last, last + 1)} for by in (1, 0))
    return table((fixed(Masses(more, uneven)), fixed(Masses(fewer, both))), shown)
