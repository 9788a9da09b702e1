"""Where a form touches zero: rational points, found by search and confirmed exactly."""

from __future__ import annotations

from fractions import Fraction

from flint import arb
from panshuffle.exact.real import quotient
from panshuffle.symbolic.ball_box import Box, inner_ends, value_at
from panshuffle.symbolic.ball_calculus import replaced
from panshuffle.symbolic.form import Algebra, Form, Unfit, number

STEPS = 60
GRID = 24
LARGEST_DENOMINATOR = 64
GOLDEN = Fraction(89, 144)


def touching_point(algebra: Algebra, form: Form, box: Box, name: str) -> Fraction | None:
    """A rational inside a box of one variable at which a form is exactly 0, if the search finds one."""
    if len(box.sides) != 1:
        return None
    lower, upper = inner_ends(box.sides[name])
    if lower is None:
        lower = Fraction(-16) if upper is None else upper - 32
    upper = lower + 32 if upper is None else upper
    near = least_place(form, name, lower, upper)
    for largest in (1, 4, LARGEST_DENOMINATOR):
        candidate = near.limit_denominator(largest)
        if lower < candidate < upper and is_zero(algebra, form, name, candidate):
            return candidate
    return None


def is_zero(algebra: Algebra, form: Form, name: str, value: Fraction) -> bool:
    """Whether a form is exactly 0 at a rational."""
    try:
        return replaced(algebra, form, {name: number(value)}, lambda part, relation: True).rational == 0
    except Unfit:
        return False


def least_place(form: Form, name: str, lower: Fraction, upper: Fraction) -> Fraction:
    """About where |form| is least: a grid, then sections; for search only."""

    def size(value: Fraction) -> arb:
        ball = abs(value_at(form, {name: arb(quotient(value))}))
        return ball.mid() if ball.is_finite() else arb("inf")

    step = (upper - lower) / GRID
    grid = [lower + step * i for i in range(1, GRID)]
    best = min(grid, key=lambda value: float(size(value)))
    low, high = best - step, best + step
    for _ in range(STEPS):
        one, two = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, two) if size(one) < size(two) else (one, high)
        low, high = low.limit_denominator(1 << 40), high.limit_denominator(1 << 40)
        if high - low < Fraction(1, 1 << 30):
            break
    return (low + high) / 2
