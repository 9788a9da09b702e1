"""P_UT: ones and zeros of every pool, with Poisson noise."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, binomial, image, independent, stick
from proofs.statement import Statement, Step
from proofs.steps import exhaustive, identity, kernel


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
        "Given the numbers of noise messages, every neighbouring pair is a shift of Bin(L, 1/2) up by 1 in one pool and down by 1 in "
        "another, whatever the other users hold; the L are independent, Pois(gamma lambda), and visible."
    ),
    rests_on=("common-factor", "poisson-sums"),
    also=(kernel("poisson-pool-certificate"), kernel("poisson-pool-privacy")),
    steps=(
        identity(
            "(o - (c + 1)) = (o - 1) - c",
            says="ones: the law at c + 1 is that at c, shifted up by 1",
            o="(-inf, inf)",
            c="(-inf, inf)",
        ),
        identity(
            "z - (N - (c + 1)) = (z + 1) - (N - c)",
            says="zeros: the law at c + 1 is that at c, shifted down by 1",
            z="(-inf, inf)",
            N="(-inf, inf)",
            c="(-inf, inf)",
        ),
        same_everywhere(
            "three users: delta is the same for all numbers of other holders, L in {0, 1, 3} and {0, 2}", True
        ),
    ),
    argument=(
        "With appended messages (the evident reading of R_UT) pool j has c_j ones and N - c_j zeros from the data, and L_j noise bits, L_j ~ Pois(gamma lambda), independent for different pools and of the data. The number of messages of a pool is N + L_j, so the view "
        "shows L_j. Given it, the ones are c_j + Bin(L_j, 1/2) and tell the zeros. If a user goes from a to b, c_a falls by 1 and c_b rises by 1; the other pools are a common factor. Subtracting the smaller count in each of the two pools is a bijection of the outcomes "
        "that depends on the others' data only, so the pair is the same whatever they hold."
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
