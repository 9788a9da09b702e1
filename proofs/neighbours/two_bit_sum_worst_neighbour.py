"""The labelled two-bit sum of section 2.3."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, image, independent, total, worst_is
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel


def counts(data: tuple[tuple[int, int], ...], p: Fraction) -> Law:
    """The number of ones in each of the two pools, every bit flipped with probability p."""

    def pool(position: int) -> Law:
        return total([{row[position]: 1 - p, 1 - row[position]: p} for row in data])

    return image(independent(pool(0), pool(1)), lambda parts: parts)


def worst(users: int, p: Fraction, curve_p: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the curve of exact.views.two_bit_sum."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.flipped_bits import two_bit_sum_view as view

    curve = view(users, real(curve_p)).curve
    return worst_is(
        says or f"N = {users}, p = {p}: the largest delta over all neighbouring datasets is the curve's",
        [(0, 0), (0, 1), (1, 0), (1, 1)],
        users,
        lambda data: counts(data, p),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


STATEMENT = Statement(
    where="the view of the labelled two-bit sum (section 2.3)",
    kind="worst neighbour",
    printed=(
        "The view is (eps, delta)-private if and only if, for all numbers h1 and h2 of other users who hold 1, in {0, ..., N-1}^2, and all directions in which both of a user's bits change, the two pools before and after are (eps, delta)-close: pairs in which one bit changes are no worse."
    ),
    hypotheses=(
        "0 <= p <= 1",
        "eps, delta >= 0",
    ),
    steps=(kernel("two-bit-sum-worst-neighbour"),),
    also=(
        worst(1, Fraction(1, 4), Fraction(1, 4)),
        worst(2, Fraction(1, 5), Fraction(1, 5)),
        worst(3, Fraction(1, 3), Fraction(1, 3)),
    ),
    twins=(
        worst(2, Fraction(1, 5), Fraction(21, 100), "with p = 21/100 in place of 1/5"),
        worst(3, Fraction(1, 3), Fraction(32, 100), "with p = 32/100 in place of 1/3"),
    ),
)
