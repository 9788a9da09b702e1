"""Decisions on balls: refine until they are settled, and round ends in the sound direction."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from flint import arb

from exact.errors import Undecided

FIRST_PRECISION = 64
LAST_PRECISION = 1 << 15


def refine(
    evaluate: Callable[[int], arb],
    enough: Callable[[arb], bool],
    what: str | Callable[[], str],
    first: int = FIRST_PRECISION,
) -> arb:
    """The first ball that is `enough`, over doubling precisions.  *Raises* `Undecided` at the limit, naming `what`."""
    precision = first
    while precision <= max(LAST_PRECISION, 4 * first):
        ball = evaluate(precision)
        if ball.is_finite() and enough(ball):
            return ball
        precision *= 2
    raise Undecided(f"{what if isinstance(what, str) else what()} is not decided with {LAST_PRECISION} bits")


def scaled_ends(ball: arb, bits: int) -> tuple[int, int]:
    """The ends of the ball times 2^(bits + 64), rounded outward to integers."""
    if not ball.is_finite():
        raise Undecided(f"a value is not finite at {bits} bits")
    (middle, middle_exponent), (radius, radius_exponent) = ball.mid().man_exp(), ball.rad().man_exp()
    guard = bits + 64
    below = floor_shifted(int(middle), int(middle_exponent) + guard)
    above = -floor_shifted(-int(middle), int(middle_exponent) + guard)
    spread = -floor_shifted(-int(radius), int(radius_exponent) + guard)
    return below - spread, above + spread


def ball_bounds(ball: arb, bits: int) -> tuple[int, int]:
    """Integers (lower, upper) with lower <= v * 2^bits <= upper for every v in the ball."""
    low, high = scaled_ends(ball, bits)
    return low >> 64, -(-high >> 64)


def integer_part(ball: arb) -> int | None:
    """The integer part that all numbers of the ball share, if they share one."""
    low, high = scaled_ends(ball, LAST_PRECISION)
    shift = LAST_PRECISION + 64
    return low >> shift if low >> shift == high >> shift else None


def settled_floor(evaluate: Callable[[int], arb], what: Callable[[], str]) -> int:
    """The integer part of a number, over doubling precisions.  *Raises* `Undecided` at the limit, naming `what`."""
    return integer_part(refine(evaluate, lambda ball: integer_part(ball) is not None, what)) or 0


def largest(balls: Iterable[arb]) -> arb:
    """An enclosure of the largest of several numbers, at the working precision."""
    return reduce(lambda first, second: first.max(second), balls)


def finite(evaluate: Callable[[int], arb], precision: int) -> arb:
    """An enclosure that is finite, with at least this precision."""
    return refine(evaluate, lambda ball: True, "the size of a number", precision)


def floor_shifted(mantissa: int, shift: int) -> int:
    """floor(mantissa * 2^shift)."""
    return mantissa << shift if shift >= 0 else mantissa >> -shift
