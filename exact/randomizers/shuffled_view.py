"""The certified curve of any randomizer behind a shuffler: enumerated where that is feasible, bounded beyond."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb
from panshuffle.exact.curves.curve import (
    ALL_NEIGHBOURS,
    LARGEST_FACTOR_BITS,
    NO_NEIGHBOUR,
    Curve,
    View,
    enclosed,
)
from panshuffle.exact.errors import ParameterError, Undecided
from panshuffle.exact.parameters import check_count
from panshuffle.exact.randomizers.bounds import LowerBound, upper_ball
from panshuffle.exact.randomizers.enumeration import (
    BITS,
    Neighbours,
    Response,
    Shuffled,
    cells,
    cost,
    memory,
    response_of,
)
from panshuffle.exact.randomizers.randomizer import Randomizer
from panshuffle.exact.randomizers.two_messages import Coins, Worst, WorstCurve
from panshuffle.exact.real import Certified, Real, dyadic, real

EXACT_COST, EXACT_MEMORY = 1_500_000, 1 << 30
FEWER_COST, MANY_COST = 30_000, 600_000
MOST_USERS = 10**9
"""This many users leave more than three digits of delta where doubles sum up transforms."""
MOST_SENDERS = 10**7
"""As many where a user sends several messages: the law of a statistic takes minutes beyond."""

SAME = "All inputs have the same law, so nobody can tell them apart."
ENUMERATED = (
    "The law of the histogram of all messages is computed for every background of the other {others} users and every "
    "two inputs of the changed one, one of each class under renaming: {pairs} pairs of at most {cells} histograms."
)
BOUNDED = (
    "Enumeration would compare about {cost} masses a point (at most {most} are) and keep about {bits} bits (at most "
    "{room}).  Above: telling the analyst which messages are no draws from what all inputs have in common, and what "
    "they are, leaves the changed user among those draws (the privacy blanket){grouped}; and telling all messages of "
    "some users leaves {fewer} users, whose curve is enumerated{crowd}.  Below: this background and these "
    "neighbours{seen}."
)
CROWD = "; and some value is held by many of the others, so that what they send blurs the letter of that value"
GROUPED = ", with the messages of each user kept together"
SEEN = ", seen through one statistic of the histogram"
TWO_MESSAGES = (
    "With two messages the best event is that one of them is sent at least so often.  Above: backgrounds in which "
    "nearly as many users hold each input are bounded together, by telling the messages of those that differ; all of "
    "the {users} backgrounds are covered.  Below: this background, exactly."
)


@dataclass(frozen=True)
class ShuffledView:
    """A view, whether its curve is exact, and where the largest delta (or the lower bound) is."""

    view: View
    randomizer: Randomizer
    is_exact: bool
    worst_at: Callable[[Real], Neighbours | None]


def shuffled_view(given: Randomizer, users: int) -> ShuffledView:
    """The view of the histogram of N honest users' messages, over all neighbours and backgrounds."""
    check_count("n", users)
    most = MOST_USERS if given.is_single else MOST_SENDERS
    if users > most:
        raise ParameterError("n", users, f"such that at most {most} users take part")
    randomizer = given.merged()
    if len(randomizer.inputs) == 1:
        return ShuffledView(View(NO_NEIGHBOUR, ALL_NEIGHBOURS, SAME), randomizer, True, lambda exp_eps: None)
    work = cost(randomizer, users)
    if work <= EXACT_COST and memory(randomizer, users) <= EXACT_MEMORY:
        shuffled = Shuffled(randomizer, users)
        counts = {"others": users - 1, "pairs": 2 * len(shuffled.edges), "cells": cells(randomizer, users)}
        view = View(shuffled.curve(), ALL_NEIGHBOURS, ENUMERATED.format(**counts))
        return ShuffledView(view, randomizer, True, shuffled.worst)
    return two_message_view(randomizer, users) or bounded_view(randomizer, users, work)


def two_message_view(randomizer: Randomizer, users: int) -> ShuffledView | None:
    """The view of a randomizer with two messages; None for others, and where the extreme inputs are not told apart."""
    if not randomizer.is_single or len(randomizer.letters) != 2:
        return None
    inputs, (zero, one) = range(len(randomizer.inputs)), randomizer.letters
    mass = randomizer.mass
    try:
        low, *_, high = sorted(inputs, key=lambda x: mass(x, one))
    except Undecided:
        return None
    sides = {Coins(mass(high, one), mass(low, one)): (high, low), Coins(mass(low, zero), mass(high, zero)): (low, high)}
    worst = Worst(sides, users)

    def worst_at(exp_eps: Real) -> Neighbours:
        found = worst.best(exp_eps)
        upper, lower = sides[found.coins]
        held = {upper: found.ones, lower: found.zeros}
        return Neighbours(tuple(held.get(x, 0) for x in inputs), upper, lower)

    pure = local_pure(randomizer)
    limit = Real(LowerBound(randomizer, users).limit()) if pure.infinite else real(0)
    curve = WorstCurve.of(worst, eps=None if pure.infinite else pure, limit=limit)
    return ShuffledView(View(curve, ALL_NEIGHBOURS, TWO_MESSAGES.format(users=users)), randomizer, False, worst_at)


def bounded_view(randomizer: Randomizer, users: int, work: int) -> ShuffledView:
    """The view between a lower and an upper bound."""
    few = fewer_users(randomizer, users)
    lower = LowerBound(randomizer, users)
    grouped = "" if randomizer.is_single else GROUPED
    sizes = {"cost": about(work), "most": about(EXACT_COST)}
    sizes |= {"bits": about(memory(randomizer, users)), "room": about(EXACT_MEMORY)}
    response = response_of(randomizer, users)
    crowd, seen = "" if response is None else CROWD, "" if randomizer.is_single else SEEN
    why = BOUNDED.format(**sizes, grouped=grouped, seen=seen, fewer=few, crowd=crowd)
    curve = enclosed(lower_curve(randomizer, lower), upper_curve(randomizer, users, few, response))
    return ShuffledView(View(curve, ALL_NEIGHBOURS, why), randomizer, False, lambda exp_eps: lower.best(exp_eps)[1])


def about(value: int) -> str:
    """A large count for a sentence."""
    return Certified.of(value).enclosure(2)[1]


def fewer_users(randomizer: Randomizer, users: int) -> int:
    """A number of users, at most `users` and at least 1, that their curve is cheap to enumerate."""
    most = FEWER_COST if randomizer.is_single else MANY_COST
    return 1 + bisect_right(range(2, users + 1), most, key=lambda some: cost(randomizer, some))


def local_pure(randomizer: Randomizer) -> Certified:
    """The pure eps of one user alone, which no shuffling makes worse."""
    return Shuffled(randomizer, 1).pure_epsilon()


def lower_curve(randomizer: Randomizer, lower: LowerBound) -> Curve:
    """The curve of the lower bound.

    *Pure eps*: with one message a user, the histogram of N times the message y has the ratio P_x(y)/P_x'(y) where the
    others hold an input that sends y, so the pure eps is that of one user alone.
    """
    pure = local_pure(randomizer) if randomizer.is_single else Certified.of(0)
    return Curve(lower.ball, None, None, lambda: pure, Real(lower.limit()))


def upper_curve(randomizer: Randomizer, users: int, few: int, response: Response | None) -> Curve:
    """The curve of the upper bound: the least of the blanket's, of fewer users' and of a crowded letter's."""
    blanket, fewer, pure = upper_ball(randomizer, users), Shuffled(randomizer, few), local_pure(randomizer)
    known: dict[Real, arb] = {}

    def ball(exp_eps: Real, precision: int) -> arb:
        if exp_eps not in known:
            known[exp_eps] = blanket(exp_eps, precision).min(fewer.ball(exp_eps, 64).upper())
            if response is not None:
                known[exp_eps] = known[exp_eps].min(response.bound(exp_eps.ball(BITS)))
        return known[exp_eps]

    limit = real(0)
    if pure.infinite:
        limit = Real(dyadic(ball(real(2) ** LARGEST_FACTOR_BITS, 64)))
    return Curve(ball, None, None, lambda: pure, limit)
