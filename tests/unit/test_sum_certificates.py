"""Certificates of sums with other noise, against brute force over outcomes, backgrounds and neighbours."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from panshuffle.exact.check import (
    FlippedPools,
    Noise,
    is_best_cut,
    verdict,
)

from tests.every import every
from tests.provers.claims import certificate

DIRECTIONS = ("gain", "lose")


def accepted(protocol, parameters, delta, exp_eps, events=None, kind="upper", view="whole", **changes):
    """Whether the checker accepts a claim at a rational e^eps; and what it says."""
    witness = {"bits": 64, "exp_eps": [str(exp_eps)] * 2} | ({"events": events} if events else {})
    claim = {"kind": kind, "protocol": protocol, "parameters": parameters, "view": view, "scope": "all neighbours"}
    claim |= {"at": {"exp_eps": str(exp_eps)}, "delta": str(delta), "witness": witness} | changes
    good, lines = verdict(json.dumps(certificate(claim)).encode())
    assert len(lines) == 1 and "broke off" not in lines[0]
    return good, lines[0]


# Binomial noise.


def shift_delta(b, exp_eps, direction):
    """The divergence of a shift by one, over all outcomes."""
    pairs = [(here, before) for here, before in zip([*b, 0], [0, *b], strict=True)]
    ordered = pairs if direction == "lose" else [pair[::-1] for pair in pairs]
    return sum(max(upper - exp_eps * lower, 0) for upper, lower in ordered)


def tails(b, direction, cut):
    """P and Q of the event of a cut."""
    if direction == "lose":
        return sum(b[: cut + 1]), sum(b[: max(cut, 0)])
    return sum(b[max(cut - 1, 0) :]), sum(b[max(cut, 0) :])


@every(
    ("l", "p", "exp_eps"), [(1, "1/3", "5/4"), (3, "1/2", "1"), (3, "1/2", "3/2"), (6, "2/3", "7/4"), (9, "1/5", "3")]
)
def test_the_best_cut_is_the_only_one_that_is_accepted(l, p, exp_eps):
    p, e = Fraction(p), Fraction(exp_eps)
    b = [comb(l, x) * p**x * (1 - p) ** (l - x) for x in range(l + 1)]
    for direction in DIRECTIONS:
        delta = shift_delta(b, e, direction)
        for cut in range(1, l + 1) if direction == "gain" else range(l + 1):
            upper, lower = tails(b, direction, cut)
            best = is_best_cut(Noise(l, (p / (1 - p),) * 2), direction, cut, e)
            assert best == (upper - e * lower == delta)


# Flipped bits.


def ones_law(data, p):
    """The number of ones of bits that are flipped with probability p, over all flips."""
    law = Counter()
    for flips in product((0, 1), repeat=len(data)):
        mass = Fraction(1)
        for flip in flips:
            mass *= p if flip else 1 - p
        law[sum(bit ^ flip for bit, flip in zip(data, flips, strict=True))] += mass
    return law


def divergence(upper, lower, exp_eps):
    return sum(max(mass - exp_eps * lower[outcome], 0) for outcome, mass in upper.items())


def pools_law(rows, p, pools):
    """The ones in the first pools of rows of bits."""
    laws = [ones_law([row[j] for row in rows], p) for j in range(pools)]
    return {tuple(x): mass for x, mass in joint(laws)}


def joint(laws):
    for cells in product(*(law.items() for law in laws)):
        mass = Fraction(1)
        for _, part in cells:
            mass *= part
        yield [outcome for outcome, _ in cells], mass


def worst_two_bits(users, p, exp_eps, pools):
    """The largest delta over all neighbouring datasets, one bit or both of one user changed."""
    found = Fraction(0)
    for others in product(product((0, 1), repeat=2), repeat=users - 1):
        laws = [pools_law([row, *others], p, pools) for row in product((0, 1), repeat=2)]
        found = max(found, *(divergence(upper, lower, exp_eps) for upper, lower in product(laws, laws)))
    return found


@every(
    ("users", "p", "exp_eps", "view"),
    [
        (1, "1/4", "2", "pair"),
        (2, "1/5", "3/2", "pair"),
        (3, "1/3", "5/4", "pair"),
        (3, "2/5", "1", "pair"),
        (2, "1/5", "3", "pair"),  # the worst background has other holders in neither pool
        (3, "1/4", "2", "pool"),
    ],
)
def test_two_bits_over_all_neighbours(users, p, exp_eps, view):
    worst = worst_two_bits(users, Fraction(p), Fraction(exp_eps), 2 if view == "pair" else 1)
    letters, unit = {"n": str(users), "p": p}, Fraction(1, 10**12)
    assert accepted("two-bit-sum", letters, worst, Fraction(exp_eps), view=view)[0]
    assert not accepted("two-bit-sum", letters, worst - unit, Fraction(exp_eps), view=view)[0]
    other = letters | {"p": str(Fraction(p) - Fraction(1, 100))}
    assert not accepted("two-bit-sum", other, worst, Fraction(exp_eps), view=view)[0]


@every(
    ("users", "m", "p", "exp_eps"), [(1, 3, "1/4", "2"), (2, 2, "1/3", "3/2"), (4, 2, "1/5", "4"), (5, 1, "2/5", "1")]
)
def test_copies_of_a_bit_over_all_neighbours(users, m, p, exp_eps):
    e, worst = Fraction(exp_eps), Fraction(0)
    for ones in range(users):
        laws = [ones_law([1] * m * (ones + bit) + [0] * m * (users - ones - bit), Fraction(p)) for bit in (0, 1)]
        worst = max(worst, divergence(laws[1], laws[0], e), divergence(laws[0], laws[1], e))
    letters = {"n": str(users), "m": str(m), "p": p}
    assert accepted("poisson-binomial", letters, worst, e)[0]
    assert not accepted("poisson-binomial", letters, worst - Fraction(1, 10**12), e)[0]
    assert not accepted("poisson-binomial", letters | {"m": str(m + 1)}, worst, e)[0]


def test_an_event_of_two_bits_in_its_background():
    p, e, others = Fraction(1, 4), Fraction(2), [(1, 0), (1, 0), (0, 0), (0, 1)]
    upper, lower = (pools_law([row, *others], p, 2) for row in ((1, 0), (0, 1)))
    cells = [x for x in upper if upper[x] > e * lower[x]]
    masses = {"P": str(sum(upper[x] for x in cells)), "Q": str(sum(lower[x] for x in cells))}
    event = {"holders": [2, 1], "ratio_above": "2", **masses}
    delta = Fraction(masses["P"]) - e * Fraction(masses["Q"])
    letters = {"n": "5", "p": "1/4"}
    assert accepted("two-bit-sum", letters, delta, e, [event], "lower", "pair")[0]
    for holders in ([1, 2], [2, 2], [3, 1], [0, 0]):
        wrong = event | {"holders": holders}
        assert not accepted("two-bit-sum", letters, delta, e, [wrong], "lower", "pair")[0]
    assert (
        "that many other holders"
        in accepted("two-bit-sum", letters, delta, e, [event | {"holders": [3, 2]}], "lower", "pair")[1]
    )


@pytest.mark.parametrize("spread", [Fraction(0), Fraction(1, 10**40)])
def test_flipped_pools_by_enumeration(spread):
    users, m, p = 3, 2, Fraction(2, 7)
    pools = FlippedPools(users, m, (p - spread, p + spread), 96)
    assert pools.exact == (spread == 0)
    for holders in range(users + 1):
        law = ones_law([1] * m * holders + [0] * m * (users - holders), p)
        found = pools.law(holders)
        for x in range(users * m + 1):
            low, high = (Fraction(column[x], pools.total) for column in found)
            assert low <= law[x] <= high
            assert high - low <= (Fraction(1, 10**25) if spread else 0)


# P_MOD, and what is refused.


def test_the_parity_of_shares_tells_for_certain():
    event = {"P": "1", "Q": "0"}
    letters = {"n": "4", "m": "3"}
    for kind in ("upper", "lower"):
        assert accepted("modular-sum", letters, 1, 3, [event], kind)[0]
    assert not accepted("modular-sum", letters, Fraction(999, 1000), 3, [event])[0]
    assert not accepted("modular-sum", letters, Fraction(999, 1000), 3, [{"P": "0.999", "Q": "0"}])[0]


PARITY = [{"P": "1", "Q": "0"}]
CUT = [{"at_least": 10**17, "P": "1", "Q": "0"}]
REFUSED = {
    "p = 1/2": ("two-bit-sum", {"n": "3", "p": "1/2"}, None, "pair", "below 1/2"),
    "many users": ("two-bit-sum", {"n": "201", "p": "1/4"}, None, "pair", "at most 200 users"),
    "a crowd": ("two-bit-sum", {"n": "10^15", "p": "1/4"}, None, "pool", "more than 2000 messages"),
    "many copies": ("poisson-binomial", {"n": "1", "m": "65", "p": "1/4"}, None, "whole", "more than 64 copies"),
    "many messages": ("poisson-binomial", {"n": "100", "m": "30", "p": "1/4"}, None, "whole", "2000 messages"),
    "half a user": ("modular-sum", {"n": "3", "m": "2", "gamma": "1/2"}, PARITY, "whole", "gamma*n"),
    "no message": ("modular-sum", {"n": "3", "m": "0"}, PARITY, "whole", "m is not"),
    "two events": ("modular-sum", {"n": "3", "m": "2"}, PARITY * 2, "whole", "1 to 1 events"),
}


@every("name", REFUSED)
def test_what_is_beyond_a_limit_is_one_sentence(name):
    protocol, letters, events, view, reason = REFUSED[name]
    good, line = accepted(protocol, letters, "1/1000", 2, events, view=view)
    assert not good and line.startswith("rejected: ")
    assert reason in line


@every("protocol", ["two-bit-sum", "poisson-binomial", "modular-sum"])
def test_no_direction_where_both_are_equal(protocol):
    letters = {"n": "3", "m": "2", "p": "1/4", "lam": "3"}
    view = "pair" if protocol == "two-bit-sum" else "whole"
    line = accepted(protocol, letters, 1, 2, view=view, direction="gain", scope="this pair")[1]
    assert line == "rejected: a direction has no meaning for this view"
