"""Unary encodings behind a shuffler: a bit for each value, the own one set with another probability than the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flint import arb, ctx
from panshuffle.crosscheck.court.counted_letters import FEW, counted_gain, typed_gain
from panshuffle.crosscheck.court.family import PRECISION, SHUFFLE, Bounds, Case, Family
from panshuffle.exact.curves.curve import Curve
from panshuffle.exact.randomizers.randomizer import named_randomizer
from panshuffle.exact.randomizers.shuffled_view import shuffled_view
from panshuffle.exact.real import Real, exp, largest

Bits = Callable[[Real], tuple[Real, Real]]
"""From e^eps0 to the chances that the own bit is set, and another one."""
LARGEST_N = 2000  # users whose bits are counted
LARGEST_K = 6  # values, whose bits make 64 messages
FIRST = "every background and histogram where they are few; else the privacy blanket above and one background below"
SECOND = (
    "from below the counts of the two bits of the changed user's values, where the n - 1 other users all hold one of "
    "these or a third value, up to 8 users with the bit of that; from above one user without a shuffler"
)


def unary_family(
    module: str, place: int, says: str, name: str, bits: Bits, program: Callable[[Case, float], str]
) -> Family:
    """The family of a named encoding: its certified curve, and the same delta from explicit backgrounds."""

    @lru_cache(maxsize=64)
    def curve(case: Case) -> Curve:
        randomizer = named_randomizer(name, case["values"], exp(case.exact("eps0")))
        return shuffled_view(randomizer, case["n"]).view.curve

    return Family(
        module,
        place,
        f"a bit for each of `values` values, {says}; all bits of a user are one message, of n users behind a shuffler",
        {"values": 3, "n": 2, "eps0": 0.0},
        curve,
        lambda case, exp_eps: bits_gain(case, exp_eps, bits),
        FIRST,
        SECOND,
        1,
        {"values": LARGEST_K, "n": LARGEST_N, "eps0": 16.0},
        group=SHUFFLE,
        by_hand=program,
    )


def bits_gain(case: Case, exp_eps: Real, bits: Bits) -> Bounds:
    """The bounds for the chances that the own bit is set, and another one."""
    with ctx.workprec(PRECISION + 4 * case["n"].bit_length()):
        own, other = (chance.ball_here() for chance in bits(exp(case.exact("eps0"))))
        factor = exp_eps.ball_here()
        above, below = pair_of_bits(own, other), pair_of_bits(other, own)
        gains = [high - factor * low for high, low in zip(above, below, strict=True)]
        joined = [(with_equal(chances), with_equal(gains)) for chances in (above, below)]
        third = (pair_of_bits(other, other), gains)
        found = [counted_gain(list(zip(*rows, strict=True)), case["n"]) for rows in (*joined, third)]
        if case["n"] <= FEW:
            found.append(typed_gain(third_bit(third, own, other), case["n"]))
        return Bounds(largest(found).lower(), sum((gain.nonnegative_part() for gain in gains), arb(0)).upper())


def pair_of_bits(first: arb, last: arb) -> list[arb]:
    """The chances of 10, 01, 00 and 11."""
    return [first * (1 - last), (1 - first) * last, (1 - first) * (1 - last), first * last]


def third_bit(rows: tuple[list[arb], list[arb]], own: arb, other: arb) -> list[tuple[arb, arb]]:
    """The letters of three bits where all others hold the third value: of the bits of x and x', each with its own."""
    ways = ((own, other), (1 - own, 1 - other))
    return [(chance * theirs, gain * mine) for chance, gain in zip(*rows, strict=True) for theirs, mine in ways]


def with_equal(row: list[arb]) -> list[arb]:
    """The entries for 10, for 01, and for 00 or 11, which tell the same where all others hold x or x'."""
    return [*row[:2], row[2] + row[3]]
