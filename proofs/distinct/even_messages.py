"""What an even number of messages gives P_DE."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, identity, smt

EVEN = [(users, m) for users in (2, 3, 4, 5, 6) for m in (2, 4, 6)]
ODD = [(users, m) for users in (1, 2, 3, 4, 5, 6) for m in (1, 3, 5)]
SHARES = [Fraction(1, 2), Fraction(9, 10)]


def largest_ratio(users: int, holders: int, m: int, q: Fraction) -> Fraction:
    """The largest ratio, either way, of the pool's law with one holder more to the law without."""
    from exact.parity import parity_law

    more, fewer = parity_law(users, holders + 1, m, q), parity_law(users, holders, m, q)
    return max(max(a / b, b / a) for a, b in zip(more, fewer, strict=True))


def even_ratio(says: str, cases: list[tuple[int, int]], factor: Fraction = Fraction(1)) -> Step:
    """Whatever the other users hold, the largest ratio is at most factor max(1 + q, 1/(1 - q^2))."""

    def holds(case: tuple[int, int]) -> bool:
        return all(
            largest_ratio(case[0], c, case[1], q) <= factor * max(1 + q, 1 / (1 - q * q))
            for q in SHARES
            for c in range(case[0])
        )

    return exhaustive(says, holds, cases, lambda case: f"N = {case[0]}, m = {case[1]}")


def odd_ratio(says: str, cases: list[tuple[int, int]]) -> Step:
    """Whatever the other users hold, the largest ratio is exactly 1/(1-q)."""
    return exhaustive(
        says,
        lambda case: all(largest_ratio(case[0], c, case[1], q) == 1 / (1 - q) for q in SHARES for c in range(case[0])),
        cases,
        lambda case: f"N = {case[0]}, m = {case[1]}",
    )


STATEMENT = Statement(
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed=(
        "P_DE has a pure eps for every m: the ratio of a pool's laws is at most 1/(1-q) = 1/(2p'). For odd m it is exactly that, however "
        "many users there are; for even m and two or more users it is at most max(1+q, 1/(1-q^2))."
    ),
    hypotheses=("the last sentence: N <= 6, m <= 6, q in {1/2, 9/10}, a finite family",),
    rests_on=("post-processing", "common-factor"),
    steps=(
        smt("(1/2)/((1 - q)/2) <= 1/(1 - q)", says="one user's parity is 1: 1/2 against p' = (1-q)/2", q="[0, 1)"),
        smt(
            "((1 + q)/2)/(1/2) <= 1/(1 - q)",
            says="one user's parity is 0, the other way round; the rest is post-processing",
            q="[0, 1)",
        ),
        identity(
            "(1/2*s)/((1 - q)/2*s) = 1/(1 - q)",
            says="odd m: in the pool of all ones every user has parity 1, and only the changed user's factor differs, for every N",
            q="[0, 1)",
            s="(0, 1]",
        ),
        odd_ratio("odd m <= 5, N <= 6: the ratio is 1/(1-q), at the pool that is all ones", ODD),
        even_ratio("even m <= 6, 2 <= N <= 6: the ratio is at most max(1+q, 1/(1-q^2))", EVEN),
    ),
    twins=(
        even_ratio("odd m: the same", [(2, 3), (3, 3)]),
        even_ratio("even m: with 0.99 max(1+q, 1/(1-q^2))", EVEN, Fraction(99, 100)),
        odd_ratio("even m: the ratio is 1/(1-q)", EVEN),
    ),
)
