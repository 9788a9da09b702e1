"""P_MOD: shares of each user's bit, shuffled."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, shares, stick, total, worst_is
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def pool(bits: tuple[int, ...], m: int) -> Law:
    """The number of ones among all shares."""
    return total([shares(bit, m) for bit in bits])


def depends_on_ones(says: str, m: int, extra: int = 0) -> Step:
    """The law of the pool depends on the number of ones of the input only (extra = 1 changes a bit)."""
    inputs = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    return exhaustive(
        says,
        lambda x: pool(x, m) == pool(tuple(sorted((x[0] ^ extra, *x[1:]))), m),
        inputs,
        lambda x: f"m = {m}, input {x}",
    )


def largest_tv(says: str, users: int, m: int, factor: Fraction = Fraction(1)) -> Step:
    """The largest total variation from (parity, 0, ..., 0) over all inputs is what exact.pairs.share_distance says."""
    from panshuffle.exact.pairs.share_distance import worst_share_tv

    def brute() -> Fraction:
        found = [
            stick(pool((1,) * ones + (0,) * (users - ones), m), pool((ones % 2,) + (0,) * (users - 1), m), Fraction(1))
            for ones in range(users + 1)
        ]
        return max(found)

    return exhaustive(
        says, lambda _: brute() == factor * worst_share_tv(users, m)[0], [0], lambda _: f"by brute force {brute()}"
    )


STATEMENT = Statement(
    where="the view of P_MOD (section 3.1, Theorem ikos)",
    kind="worst neighbour",
    printed=(
        "The view of P_MOD depends on the dataset as a multiset of bits, its number of ones, only; for every neighbouring pair that differs it is (eps, delta)-close only if delta >= 1, so the view is (eps, delta)-private if and only if delta >= 1."
    ),
    hypotheses=(
        "m >= 1 messages a user",
        "N >= 1 users",
    ),
    steps=(
        kernel("modular-sum-worst-neighbour"),
        kernel("modular-sum-every-pair"),
        kernel("data-order-forgotten"),
    ),
    also=(
        kernel("modular-sum-correct"),
        kernel("share-pool-law"),
        depends_on_ones("three users, m = 2: the law depends on the number of ones only", 2),
        depends_on_ones("three users, m = 3: the law depends on the number of ones only", 3),
        worst_is(
            "N = 2, m = 3: delta = 1 for neighbouring inputs",
            (0, 1),
            2,
            lambda bits: pool(bits, 3),
            lambda e: Fraction(1),
        ),
        largest_tv("N = 3, m = 3: the largest total variation", 3, 3),
        largest_tv("N = 4, m = 3: the largest total variation", 4, 3),
    ),
    twins=(
        depends_on_ones("the law does not depend on the first bit", 3, 1),
        largest_tv("95 per cent of the largest total variation at N = 4, m = 3", 4, 3, Fraction(19, 20)),
    ),
)
