"""P_DE with its real messages: the pools of the two elements that a changed user moves between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
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
    pure_bound,
    worse,
)
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.pairs.parity_pair import Change, LargePools, ideal_pair_delta, ideal_pool_delta, parity_law_balls
from panshuffle.exact.parameters import blocks, flip_probability
from panshuffle.exact.real import Certified, Real, between, largest, largest_of, log, real

EXACT_BITS = 60
POOLS_WHY = (
    "Only the pools of the old and the new element depend on the changed user.  Their laws depend on how many "
    "other users hold each of the two; every such background is covered, one by one or many together: the messages of "
    "a further user are post-processing.  Exchanging the elements exchanges the directions."
)
FAR_ENDS = "The pools are large: what the far ends of their laws or the distance from an ideal sum may add is added."
BOUNDED = f"{POOLS_WHY}  {FAR_ENDS}"


def distinct_elements_view(
    n: int,
    users: int,
    k: int,
    eps: Real,
    m: int,
    pool: bool = False,
    direction: str | None = None,
    holders: tuple[int, ...] | None = None,
) -> View:
    """The view of N honest users out of n, in the worst background or in a given one."""
    if k == 1:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 there is only one dataset.")
    ways = () if not pool else (True, False) if direction is None else (direction == "gain",)
    change = Change(users, m, 1 - 2 * flip_probability(n, eps), k, ways=ways)
    if holders is not None:
        return given_view(change, holders[: 1 if pool else 2])
    found = worst_view(change)
    return replace(found, scope=THIS_PAIR) if pool and direction is not None else found


def worst_view(change: Change) -> View:
    """The view of the worst background, which is known from two sides only where the pools are large."""
    small = change.is_enumerated
    found = change.worst if small else LargePools(change).worst
    counts = {*range(change.users - change.dummies), *range(change.dummies, change.users)} if small else {0}

    def exact(e: Fraction) -> Fraction:
        return max(change.exact(background, e) for background in change.backgrounds())

    def ball(exp_eps: Real, precision: int) -> arb:
        return found(exp_eps, precision)[0]

    few = change.q.fraction is not None and change.users * change.m <= EXACT_BITS
    curve = curve_of(change, ball, exact if few else None, sorted(counts))
    return View(
        curve,
        ALL_NEIGHBOURS,
        POOLS_WHY if small else BOUNDED,
        None,
        lambda exp_eps: None if exp_eps is None else found(exp_eps, 64)[1],
        two_sided=not small,
    )


def given_view(change: Change, holders: tuple[int, ...]) -> View:
    """The view in a given background."""
    change.check(real(1), holders)
    if not change.ways and change.k == 2 and sum(holders) != change.users - 1:
        allowed = f"two counts with sum {change.users - 1} (k = 2)"
        raise ParameterError("holders", ",".join(map(str, holders)), allowed)
    exact = None if change.q.fraction is None else partial(change.exact, holders)
    curve = curve_of(change, partial(change.at, holders), exact, [holders[0]])
    return View(curve, THIS_PAIR, POOLS_WHY, None, lambda exp_eps: holders)


def curve_of(
    change: Change,
    ball: Callable[[Real, int], arb],
    exact: Callable[[Fraction], Fraction] | None,
    counts: Sequence[int],
) -> Curve:
    """The curve of backgrounds in which so many others hold the first element."""
    return Curve(ball, exact, pure(change), lambda: pure_epsilon(change, counts))


def pure(change: Change) -> Real | None:
    """The pure e^eps, where it is one user's.

    One user's messages have likelihood ratio at most 1/(1-q), reached at odd sums, when the user becomes a
    holder, and at most 1+q, reached at even sums, when the user stops being one; so have the pools.  The pool that
    is all zeros forces an even sum, and for odd m the one that is all ones forces odd sums: then it is (1+q)/(1-q) for
    the pair, in every background, and 1/(1-q) for a pool.  A pool that only loses holders has 1+q.
    """
    q = change.q
    if change.ways == (False,):
        return 1 + q
    return (1 if change.ways else 1 + q) / (1 - q) if change.m % 2 else None


def pure_epsilon(change: Change, counts: Sequence[int]) -> Certified:
    """The pure eps for even m: enclosed from the laws for small pools, bounded by one user's ratio for large ones.

    For large pools, a background without other holders may stand for all.
    """
    q = change.q

    def evaluate(precision: int) -> arb:
        gains = [gain_ratio(change, holders, precision) for holders in counts]
        with ctx.workprec(precision):
            gain = largest(gains)
            if not change.is_enumerated:
                gain = gain.union((1 / (1 - q)).ball(precision))
            if change.ways:
                return (gain if False not in change.ways else gain.max((1 + q).ball(precision))).log()
            return (gain * (1 + q).ball(precision)).log()

    return Certified(evaluate)


def gain_ratio(change: Change, holders: int, precision: int) -> arb:
    """The largest law_(C+1)(x)/law_C(x); for large pools its value at x = 1, which is a lower bound."""
    users, m, q = change.users, change.m, change.q
    if not change.is_enumerated:
        one_odd = holders * (1 + q) + (users - holders) * (1 - q)
        return ((one_odd + 2 * q) / ((1 + q) * one_odd)).ball(precision)
    more, fewer = (parity_law_balls(users, count, m, q, precision) for count in (holders + 1, holders))
    with ctx.workprec(precision):
        return largest(upper / lower for upper, lower in zip(more, fewer, strict=True))


def paper_bound(eps: Real, delta: Real, gamma: Fraction) -> PaperBound:
    """Theorem de_upper, part I: (2 eps(gamma), 4 delta/gamma)."""
    bound = eps + log(1 / real(gamma))
    if eps <= log(2):
        other = 2 * eps ** real(gamma) / gamma
        bound = other if other < bound else bound
    return pure_bound("distinct-elements-privacy", 2 * bound, 4 * delta / gamma)


def hashed_bound(eps: Real, delta: Real, gamma: Fraction) -> PaperBound:
    """The corollary on P_HDE, part I: (2 eps + 2 ln(1/gamma), 2 delta/gamma)."""
    return pure_bound("hashed-distinct-elements-privacy", 2 * eps + 2 * log(1 / real(gamma)), 2 * delta / gamma)


# P_MOD: not private on its own, since the parity of all bits is in the clear; its use is in the total variation.


MODULAR_SUM_WHY = "Changing one bit changes the parity of the number of ones, so the views have disjoint supports."


def modular_sum_view() -> View:
    """The view of the shuffled bits: delta = 1 at every eps."""
    return View(DISJOINT, ALL_NEIGHBOURS, MODULAR_SUM_WHY)


# Q_P on P_DE: (I_t, output).
#
# Legend: N executions up to the intrusion, N' after it, Q' = q^N', E = e^eps.
#
# *A change up to t*: the output is computed from I_t and messages that do not depend on the change, so the view is as
# private as I_t.  That is P_DE with N users, of whom the first dummies hold the element 1.
#
# *A change after t*: I_t has the same law for both, and tells the parities of its pools; the output tells how many
# pools have an odd sum in the end. What is added to a pool after t has an odd sum with probability 1/2 if its element
# is held there, and with probability (1-Q')/2 else. - From a to b, which nobody else holds after t: where the parities
# of both in I_t are equal, the output has the same law for both. They differ with probability at most 1/2; then the
# difference of the two sums counts: 1, 0 or -1, with probabilities (1+Q')/4, 1/2, (1-Q')/4 against the opposite. So
# delta is at most ((1+Q') - E(1-Q'))/8. - From a, which others hold after t, as the dummies hold 1, to b, which nobody
# else does: a fair parity and that of b have the sum 0, 1 or 2, with probabilities 1/4, 1/2, 1/4 against (1+Q')/4,
# 1/2, (1-Q')/4 (or 0 and 2 exchanged). So delta is at most (1 - E(1-Q'))/4, which is no more than the former for E >=
# 1. For k = 2 no other pool blurs the output and only this change is possible, so that it is the truth.
#
# The parities of the pools of I_t alone give delta at least twice as large if N <= N'.


COUNTER_WHY = (
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


def pan_distinct_elements_view(n: int, k: int, eps: Real, m: int, t: int | None = None) -> View:
    """The joint view at time t, or at the worst time."""
    if k == 1 or n < 3:
        return View(NO_NEIGHBOUR, ALL_NEIGHBOURS, "With k = 1 or n < 3 there is only one stream.")
    q, (first, stream, last) = 1 - 2 * flip_probability(n, eps), blocks(n)
    early, late = first + (1 if t is None else t), last + (1 if t is None else stream - t)
    later = output_curve(k, late, q)
    if t == 0:
        return View(later, ALL_NEIGHBOURS, ONLY_LATER, upper_bound=k > 2)
    state = worst_view(Change(early, m, q, k, first))
    if early <= late or t == stream:
        return replace(state, why=f"{COUNTER_WHY}  {NO_LATER}")
    if k == 2:
        return replace(
            state,
            curve=worse(state.curve, later),
            why=f"{COUNTER_WHY}  {LATER}: the worse of both counts.",
        )
    return replace(
        state,
        curve=at_least(state.curve, later),
        why=f"{COUNTER_WHY}  {LATER}: it is bounded.",
        two_sided=True,
    )


def output_curve(k: int, late: int, q: Real) -> Curve:
    """The bound for a change after t with the given number of executions, which is the truth for k = 2."""
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
