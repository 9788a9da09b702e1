"""The labelled two-bit sum of section 2.3."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, image, independent, total, worst_is
from proofs.statement import Statement, Step
from proofs.steps import kernel


def counts(data: tuple[tuple[int, int], ...], p: Fraction) -> Law:
    """The number of ones in each of the two pools, every bit flipped with probability p."""

    def pool(position: int) -> Law:
        return total([{row[position]: 1 - p, 1 - row[position]: p} for row in data])

    return image(independent(pool(0), pool(1)), lambda parts: parts)


def worst(users: int, p: Fraction, curve_p: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the curve of exact.views.two_bit_sum."""
    from exact.numbers.real import real
    from exact.views.two_bit_sum import view

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
        "The view depends on the numbers of users who hold 1 in each position, and on the changed user's bits; for the same other users, "
        "changing both bits is at least as bad as changing one. So the largest delta is the largest over the numbers (h1, h2) of others who hold 1, in {0, ..., N-1}^2, and the directions in which both bits change."
    ),
    rests_on=("common-factor", "post-processing", "shuffler-forgets-order"),
    steps=(
        kernel("post-processing"),
        worst(1, Fraction(1, 4), Fraction(1, 4)),
        worst(2, Fraction(1, 5), Fraction(1, 5)),
        worst(3, Fraction(1, 3), Fraction(1, 3)),
    ),
    argument=(
        "The two pools are labelled and their flips are independent, so the view is a pair of independent numbers of ones, each a sum over users of independent bits: it depends on how many others hold 1 in each position and on the changed user's bits. "
        "Say the first bit changes and the second may change too. If both change, the view's first part is a function of the view, so by post-processing delta is at least that of the first pool alone. If the first alone changes, the second pool has the same law "
        "on both sides, and as a common factor it drops out: delta is that of the first pool alone, for the same h1. So changing both is at least as bad, and the largest delta is found among those pairs. Every (h1, h2) arises, because a user's two bits are free."
    ),
    twins=(
        worst(2, Fraction(1, 5), Fraction(21, 100), "with p = 21/100 in place of 1/5"),
        worst(3, Fraction(1, 3), Fraction(32, 100), "with p = 32/100 in place of 1/3"),
    ),
)
