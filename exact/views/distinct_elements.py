"""P_DE with its real messages: the pools of the two elements that a changed user moves between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from flint import arb, ctx
from panshuffle.exact.certified import Certified, largest, largest_of
from panshuffle.exact.curves.curve import (
    ALL_NEIGHBOURS,
    NO_NEIGHBOUR,
    THIS_PAIR,
    Curve,
    PaperBound,
    View,
    pure_bound,
    worse,
)
from panshuffle.exact.errors import ParameterError
from panshuffle.exact.pairs.parity_large import LargePools
from panshuffle.exact.pairs.parity_pair import (
    Background,
    check_background,
    enumerated,
    parity_law_balls,
    parity_pair_delta,
    parity_pair_delta_exact,
    parity_pool_delta,
    parity_pool_delta_exact,
    worst_background,
    worst_background_exact,
    worst_pool_background,
)
from panshuffle.exact.parameters import flip_probability
from panshuffle.exact.real import Real, log, real

EXACT_BITS = 60
WHY = (
    "Only the pools of the old and the new element depend on the changed user.  Their laws depend on how many "
    "other users hold each of the two; every such background is covered, one by one or many together: the messages of "
    "a further user are post-processing.  Exchanging the elements exchanges the directions."
)
BOUNDED = (
    f"{WHY}  The pools are large: what the far ends of their laws or the distance from an ideal sum may add is added."
)


def view(
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
    q = 1 - 2 * flip_probability(n, eps)
    if pool:
        return pool_view(users, m, q, direction, holders)
    if holders is not None:
        return given_view(users, k, m, q, (holders[0], holders[1]))
    return worst_view(users, k, m, q)


def worst_view(users: int, k: int, m: int, q: Real, dummies: int = 0) -> View:
    """The pair in its worst background, where so many of the users hold the element 1 for certain."""
    rational, found = q.fraction, distinct_delta(users, k, m, q, dummies)
    counts = sorted({*range(users - dummies), *range(dummies, users)}) if enumerated(users, m) else None

    def exact(e: Fraction) -> Fraction:
        return worst_background_exact(users, k, m, Fraction(rational or 0), e, dummies)[0]

    curve = Curve(
        lambda exp_eps, precision: found(exp_eps, precision)[0],
        exact if rational is not None and users * m <= EXACT_BITS else None,
        pure_pair(users, m, q),
        lambda: pure_epsilon(users, m, q, False, counts),
    )
    return covering(users, m, curve, lambda exp_eps: found(exp_eps, 64)[1])


def distinct_delta(
    users: int, k: int, m: int, q: Real, dummies: int = 0
) -> Callable[[Real, int], tuple[arb, Background | None]]:
    """delta of P_DE over every background and neighbour at an e^eps, and a background, whatever the number of users.

    Where the pools are small, the maximum is taken at the background; where they are large, the enclosure covers every
    background, and the one returned is the worst that was looked at.
    """
    if enumerated(users, m):
        return partial(worst_background, users, k, m, q, dummies=dummies)
    return partial(LargePools(users, m, q, dummies).pair, k)


def covering(users: int, m: int, curve: Curve, background: Callable[[Real], tuple[int, ...] | None]) -> View:
    """The view of every background, which is known from two sides only where the pools are large."""
    small = enumerated(users, m)
    return View(
        curve,
        ALL_NEIGHBOURS,
        WHY if small else BOUNDED,
        None,
        lambda exp_eps: None if exp_eps is None else background(exp_eps),
        two_sided=not small,
    )


def given_view(users: int, k: int, m: int, q: Real, holders: tuple[int, int]) -> View:
    """The pair in a given background."""
    check_background(users, holders)
    if k == 2 and sum(holders) != users - 1:
        raise ParameterError("holders", f"{holders[0]},{holders[1]}", f"two counts with sum {users - 1} (k = 2)")
    curve = Curve(
        partial(parity_pair_delta, users, *holders, m, q),
        None if q.fraction is None else partial(parity_pair_delta_exact, users, *holders, m, q.fraction),
        pure_pair(users, m, q),
        lambda: pure_epsilon(users, m, q, False, [holders[0]]),
    )
    return View(curve, THIS_PAIR, WHY, None, lambda exp_eps: holders)


def pool_view(users: int, m: int, q: Real, direction: str | None, holders: tuple[int, ...] | None) -> View:
    """One pool, in the worst background or in a given one."""
    if holders is not None and holders[0] > users - 1:
        raise ParameterError("holders", holders[0], f"a whole number from 0 to {users - 1}")
    ways = (True, False) if direction is None else (direction == "gain",)
    if holders is None:
        found = worst_pool_view(users, m, q, ways)
        return found if direction is None else replace(found, scope=THIS_PAIR)
    curves = [pool_curve(users, holders[0], m, q, gain) for gain in ways]
    return View(worse(*curves), THIS_PAIR, WHY, None, lambda exp_eps: holders)


def worst_pool_view(users: int, m: int, q: Real, ways: tuple[bool, ...]) -> View:
    """One pool in its worst background."""
    small, rational = enumerated(users, m), q.fraction
    found = partial(worst_pool_background, users, m, q, ways) if small else partial(LargePools(users, m, q).pool, ways)

    def exact(e: Fraction) -> Fraction:
        cases = product(range(users), ways)
        return max(parity_pool_delta_exact(users, c, m, Fraction(rational or 0), e, gain) for c, gain in cases)

    curve = Curve(
        lambda exp_eps, precision: found(exp_eps, precision)[0],
        exact if rational is not None and users * m <= EXACT_BITS else None,
        pure_pool(m, q, True in ways),
        lambda: largest_of((pure_epsilon(users, m, q, pool=True), Certified.of(log(1 + q)))),
    )
    return covering(users, m, curve, lambda exp_eps: (found(exp_eps, 64)[1],))


def pure_pool(m: int, q: Real, gain: bool) -> Real | None:
    """The pure e^eps of one pool, where it is one user's: 1+q if it only loses holders, 1/(1-q) for odd m."""
    return 1 + q if not gain else 1 / (1 - q) if m % 2 else None


def pool_curve(users: int, holders: int, m: int, q: Real, gain: bool) -> Curve:
    """One pool that gains or loses a holder."""

    def ball(exp_eps: Real, precision: int) -> arb:
        return parity_pool_delta(users, holders, m, q, exp_eps, gain, precision)

    exact = None if q.fraction is None else partial(parity_pool_delta_exact, users, holders, m, q.fraction, gain=gain)
    return Curve(ball, exact, pure_pool(m, q, gain), lambda: pure_epsilon(users, m, q, True, [holders]))


def pure_pair(users: int, m: int, q: Real) -> Real | None:
    """The pure e^eps of the pair for odd m: (1+q)/(1-q), in every background.

    One user's messages have likelihood ratio at most 1/(1-q), reached at odd sums, when the user becomes a
    holder, and at most 1+q, reached at even sums, when the user stops being one; so have the pools.  The pool that
    is all zeros forces an even sum, and for odd m the one that is all ones forces odd sums.
    """
    return (1 + q) / (1 - q) if m % 2 else None


def pure_epsilon(users: int, m: int, q: Real, pool: bool, counts: Sequence[int] | None = None) -> Certified:
    """The pure eps for even m: enclosed from the laws for small pools, bounded by one user's ratio for large ones.

    Without counts all backgrounds are looked at, for large pools only the empty one.
    """
    holder_counts = range(users if enumerated(users, m) else 1) if counts is None else counts

    def evaluate(precision: int) -> arb:
        gains = [gain_ratio(users, holders, m, q, precision) for holders in holder_counts]
        with ctx.workprec(precision):
            gain = largest(gains)
            if not enumerated(users, m):
                gain = gain.union((1 / (1 - q)).ball(precision))
            return (gain if pool else gain * (1 + q).ball(precision)).log()

    return Certified(evaluate)


def gain_ratio(users: int, holders: int, m: int, q: Real, precision: int) -> arb:
    """The largest law_(C+1)(x)/law_C(x); for large pools its value at x = 1, which is a lower bound."""
    if not enumerated(users, m):
        one_odd = holders * (1 + q) + (users - holders) * (1 - q)
        return ((one_odd + 2 * q) / ((1 + q) * one_odd)).ball(precision)
    more = parity_law_balls(users, holders + 1, m, q, precision)
    fewer = parity_law_balls(users, holders, m, q, precision)
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
