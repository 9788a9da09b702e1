"""Q_P on P_DE: (I_t, output).

Legend: N executions up to the intrusion, N' after it, Q' = q^N', E = e^eps.

*A change up to t*: the output is computed from I_t and messages that do not depend on the change, so the view is as
private as I_t.  That is P_DE with N users, of whom the first dummies hold the element 1.

*A change after t*: I_t has the same law for both, and tells the parities of its pools; the output tells how many pools
have an odd sum in the end.  What is added to a pool after t has an odd sum with probability 1/2 if its element is held
there, and with probability (1-Q')/2 else.
- From a to b, which nobody else holds after t: where the parities of both in I_t are equal, the output has the same law
  for both.  They differ with probability at most 1/2; then the difference of the two sums counts: 1, 0 or -1, with
  probabilities (1+Q')/4, 1/2, (1-Q')/4 against the opposite.  So delta is at most ((1+Q') - E(1-Q'))/8.
- From a, which others hold after t, as the dummies hold 1, to b, which nobody else does: a fair parity and that of b
  have the sum 0, 1 or 2, with probabilities 1/4, 1/2, 1/4 against (1+Q')/4, 1/2, (1-Q')/4 (or 0 and 2 exchanged).  So
  delta is at most (1 - E(1-Q'))/4, which is no more than the former for E >= 1.  For k = 2 no other pool blurs the
  output and only this change is possible, so that it is the truth.

The parities of the pools of I_t alone give delta at least twice as large if N <= N'.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from flint import arb, ctx
from panshuffle.exact.certified import Certified, between, largest_of
from panshuffle.exact.curves.curve import ALL_NEIGHBOURS, NO_NEIGHBOUR, Curve, View, worse
from panshuffle.exact.pairs.parity_large import ideal_pair_delta, ideal_pool_delta
from panshuffle.exact.parameters import blocks, flip_probability
from panshuffle.exact.real import Real
from panshuffle.exact.views.distinct_elements import worst_view

WHY = (
    "If the changed element is in the state, the output adds nothing: it is computed from the state and from messages "
    "that do not depend on the change.  The state is that of P_DE with as many users as it has executions, of whom the "
    "dummies hold the element 1; every such background is covered.  Later elements are post-processing, so that the "
    "first one is the least private."
)
NO_LATER = "An element that comes later shows in the output alone, which tells less."
LATER = "An element that comes later shows in the output alone, which may tell a little more here"
ONLY_LATER = (
    "No element is in the state at time 0.  The output tells how many pools have an odd sum; it is bounded by the two "
    "that change."
)
MOST_EXACT = 60
"""Executions up to which q^N' is written as a fraction."""


def view(n: int, k: int, eps: Real, m: int, t: int | None = None) -> View:
    """The joint view at time t, or at the worst time."""
    if k == 1 or n < 3:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 or n < 3 there is only one stream.")
    q, (first, stream, last) = 1 - 2 * flip_probability(n, eps), blocks(n)
    early, late = first + (1 if t is None else t), last + (1 if t is None else stream - t)
    later = output_curve(k, late, q)
    if t == 0:
        return View(later, ALL_NEIGHBOURS, ONLY_LATER, upper_bound=k > 2)
    state = worst_view(early, k, m, q, first)
    if early <= late or t == stream:
        return replace(state, why=f"{WHY}  {NO_LATER}")
    if k == 2:
        return replace(state, curve=worse(state.curve, later), why=f"{WHY}  {LATER}: the worse of both counts.")
    return replace(state, curve=at_least(state.curve, later), why=f"{WHY}  {LATER}: it is bounded.", two_sided=True)


def output_curve(k: int, late: int, q: Real) -> Curve:
    """The bound for a change after t with so many executions, which is the truth for k = 2."""
    ideal, rational = ideal_pair_delta if k > 2 else ideal_pool_delta, q.fraction

    def ball(exp_eps: Real, precision: int) -> arb:
        with ctx.workprec(precision + late.bit_length()):
            return ideal(q.ball_here() ** late, exp_eps.ball_here()) / 2

    def exact(e: Fraction) -> Fraction:
        share = Fraction(rational or 0) ** late
        return max((1 + share if k > 2 else 2) - e * (1 - share) * (1 if k > 2 else 2), Fraction(0)) / 8

    def pure(precision: int) -> arb:
        with ctx.workprec(precision + late.bit_length()):
            share = q.ball_here() ** late
            return ((1 + share if k > 2 else 1) / (1 - share)).log()

    small = rational is not None and late <= MOST_EXACT
    return Curve(ball, exact if small else None, None, lambda: Certified(pure))


def at_least(state: Curve, later: Curve) -> Curve:
    """A curve that is at least that of the state and at most the larger of both.

    *Holds when* the state's pure e^eps, where it is known, is no less than the other's (so it is: (1+q)/(1-q)).
    """

    def ball(exp_eps: Real, precision: int) -> arb:
        known = state.ball(exp_eps, precision)
        with ctx.workprec(precision):
            return known.union(known.max(later.ball(exp_eps, precision)))

    def pure() -> Certified:
        return between(state.pure_eps(), largest_of((state.pure_eps(), later.pure_eps())))

    return Curve(ball, None, state.pure, pure)
