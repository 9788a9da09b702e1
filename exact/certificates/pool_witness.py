"""Witnesses for pools of the users' bits: every background is enumerated, or P_DE is compared with an ideal sum."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from panshuffle.exact import check
from panshuffle.exact.certificates.writer import CertificateError, Entry, Found, Goal, masses
from panshuffle.exact.check import GUARD, PROTOCOLS, Claim, Pools, Rejected, rational, share
from panshuffle.exact.numbers.certified import decimal_ends

NEARLY = Fraction(1, 10**20)
"""A background whose delta is that much smaller, by rounding, is good enough; relative."""


def distinct_witness(claim: Claim, goal: Goal) -> Found:
    """The witness for P_DE: nothing where the checker enumerates, an event for a lower bound."""
    crowd, m = check.crowd_of(claim), claim.count("m")
    users = crowd.users
    large = users * m > check.MOST_MESSAGES or users > check.MOST_ENUMERATED
    if large and claim.view == "pair" and claim.holders is None:
        return ideal_witness(claim, crowd, m, goal)
    if claim.upper:
        return enumerated(claim, goal)
    return pool_event(claim, Pools(users, m, share(claim), claim.bits), claim.holders or goal.background, goal)


def flipped_witness(claim: Claim, goal: Goal) -> Found:
    """The witness for sums of flipped bits, in the same way; an unknown background is looked for."""
    if claim.users() > check.MOST_ENUMERATED:
        few = f"every background of at most {check.MOST_ENUMERATED} users is enumerated"
        raise CertificateError(f"no certificate: {claim.users()} users take part, and {few}")
    if claim.upper:
        return enumerated(claim, goal)
    if goal.background is None:
        holders = background_above(claim, check.flipped(claim), rational(goal.delta) * (1 - NEARLY))
    else:
        holders = checked_background(claim, claim.users(), goal.background)
    return pool_event(claim, check.flipped(claim), holders, goal)


def checked_background(claim: Claim, users: int, background: tuple[int, ...]) -> tuple[int, ...]:
    """The other holders where the changed user goes from (1, 0) to (0, 1), from those where it is (1, 1) to (0, 0)."""
    if claim.view != "pair":
        return background[:1]
    first, second = background
    return (first, users - 1 - second) if first <= second else (second, users - 1 - first)


def background_above(claim: Claim, pools: Pools, delta: Fraction) -> tuple[int, ...] | None:
    """A background with a larger delta."""
    exp_eps = claim.exp_eps[1]
    if claim.view == "pair":
        return check.every_pair_upper(pools, check.Crowd(pools.users, 3), exp_eps, delta)
    found = (h for h in range(pools.users) if check.pool_upper(pools.gain(h), exp_eps, pools.total) > delta)
    return next(((h,) for h in found), None)


def enumerated(claim: Claim, goal: Goal) -> Found:
    """An upper bound for which the checker needs no witness."""
    for loosened in (goal.delta,) if goal.fixed else (goal.delta, looser(goal.delta, goal.digits)):
        try:
            PROTOCOLS[claim.protocol].views[claim.view](replace(claim, delta=rational(loosened)))
        except Rejected as reason:
            problem = reason
        else:
            return loosened, {}
    raise problem


def looser(wanted: str, digits: int) -> str:
    """A slightly larger bound."""
    value = rational(wanted) * (1 + Fraction(1, 10**digits)) if rational(wanted) else Fraction(1, 10**digits)
    return decimal_ends(min(value, Fraction(1)), digits)[1]


def pool_event(claim: Claim, pools: Pools, holders: tuple[int, ...] | None, goal: Goal) -> Found:
    """The event {P > E Q} in one background; the pools are new, as laws round by the way in which they are found."""
    if holders is None:
        raise CertificateError("no certificate: a lower bound needs a background")
    ratio, events = claim.exp_eps[1], list[Entry]()
    about = {"holders": [*holders], "ratio_above": str(ratio)}
    if claim.view == "pair":
        bounds = check.pair_event(*check.sorted_pair(pools, *holders), ratio, pools.total)
        events.append(about | masses(bounds, False, claim.bits))
    else:
        for direction, step in (("gain", pools.gain(holders[0])), ("lose", pools.lose(holders[0]))):
            if claim.direction in (None, direction):
                bounds = check.pool_event(step, ratio, pools.total)
                events.append(about | {"direction": direction} | masses(bounds, False, claim.bits))
    return goal.by_events(claim, events)


def ideal_witness(claim: Claim, crowd: check.Crowd, m: int, goal: Goal) -> Found:
    """Large pools: the parities of both, and the distance from the ideal sum."""
    q, bits, (users, k, _) = share(claim), claim.bits + GUARD, crowd
    if claim.upper:
        value = check.ideal_upper(users, k, m, q, claim.exp_eps[0], bits)
        return goal.claimed(value, True), {"form": "ideal"}
    delta, witness = goal.by_events(claim, [masses(check.parity_event(users, k, q, bits), False, claim.bits)])
    return delta, {"form": "ideal", **witness}
