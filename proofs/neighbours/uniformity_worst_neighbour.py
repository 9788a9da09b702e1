"""P_UT: ones and zeros of every pool, with Poisson noise."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, binomial, image, independent, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, kernel


def pool(count: int, users: int, noise: int) -> Law:
    """(ones, zeros) of a pool given that there are so many noise messages."""
    return image(binomial(noise, Fraction(1, 2)), lambda x: (count + x, users - count + noise - x))


def same_everywhere(says: str, with_two: bool) -> Step:
    """Whatever the other users hold, a changed user is one shift of Bin(L, 1/2) in each of two pools."""
    users = 3

    def delta(a: int, b: int, first: int, second: int, exp_eps: Fraction) -> Fraction:
        upper = independent(pool(a + 1, users, first), pool(b, users, second))
        lower = independent(pool(a, users, first), pool(b + (1 if with_two else 0), users, second))
        return stick(upper, lower, exp_eps)

    cases = [
        (a, b, first, second, Fraction(e, 2))
        for a in range(users)
        for b in range(users - a)
        for first in (0, 1, 3)
        for second in (0, 2)
        for e in (2, 3, 5)
    ]

    def claimed(first: int, second: int, exp_eps: Fraction) -> Fraction:
        up, down = binomial(first, Fraction(1, 2)), binomial(second, Fraction(1, 2))
        moved = independent(image(up, lambda x: x + 1), down)
        return stick(moved, independent(up, image(down, lambda x: x + 1)), exp_eps)

    return exhaustive(
        says,
        lambda case: delta(*case) == claimed(*case[2:]),
        cases,
        lambda case: f"others hold a and b {case[:2]} times, noise messages {case[2:4]}, e^eps = {case[4]}",
    )


STATEMENT = Statement(
    where="the view of P_UT (section 4.1)",
    kind="worst neighbour",
    printed=(
        "For every neighbouring pair that differs, whatever the other users hold, the views are (eps, delta)-close if and only if (L, X + 1, L', Y) and (L, X, L', Y + 1) are, with L, L' independent, both Pois(gamma lambda), and X, Y independent given them, Bin(L, 1/2) and Bin(L', 1/2); so privacy is the closeness of this pair."
    ),
    hypotheses=(
        "k >= 2",
        "gamma = N/n, N >= 1 honest users",
        "lambda >= 0",
        "eps, delta >= 0",
    ),
    steps=(
        kernel("uniformity-worst-neighbour"),
        kernel("uniformity-every-pair"),
    ),
    also=(
        kernel("poisson-pool-certificate"),
        kernel("poisson-pool-privacy"),
        kernel("poisson-pair-certificate"),
        same_everywhere(
            "three users: delta is the same for all numbers of other holders, L in {0, 1, 3} and {0, 2}", True
        ),
    ),
    twins=(
        same_everywhere("only one pool changes", False),
        identity(
            "z - (N - (c + 1)) = (z - 1) - (N - c)",
            says="zeros shifted up",
            z="(-inf, inf)",
            N="(-inf, inf)",
            c="(-inf, inf)",
        ),
    ),
)
