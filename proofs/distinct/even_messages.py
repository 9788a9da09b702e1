"""What an even number of messages gives P_DE."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

EVEN = [(users, m) for users in (2, 3, 4, 5, 6) for m in (2, 4, 6)]
SHARES = [Fraction(1, 2), Fraction(9, 10)]


def largest_ratio(users: int, holders: int, m: int, q: Fraction) -> Fraction:
    """The largest ratio, either way, of the pool's law with one holder more to the law without."""
    from panshuffle.exact.pairs.parity_pair import parity_law

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
    printed="P_DE has a pure eps for every m. Let law_C be the law of a pool with C holders among N honest users, q = 1 - 2p'. For every m: law_C <= (1+q) law_(C+1) and law_(C+1) <= law_C/(1-q). For odd m the second is attained, however many users there are. For even m and N >= 2, moreover, law_(C+1) <= max(1+q, 1/(1-q^2)) law_C.",
    hypotheses=("0 <= q < 1", "C is the number of holders among the other users, N - 1 at most"),
    steps=(
        kernel("even-messages-pure"),
        kernel("even-messages-loses"),
        kernel("even-messages-gains"),
        kernel("odd-messages-attained"),
        kernel("odd-messages-least"),
        kernel("even-messages-gains-even"),
        kernel("even-messages-pair"),
    ),
    twins=(
        even_ratio("odd m: the same", [(2, 3), (3, 3)]),
        even_ratio("even m: with 0.99 max(1+q, 1/(1-q^2))", EVEN, Fraction(99, 100)),
        odd_ratio("even m: the ratio is 1/(1-q)", EVEN),
    ),
    constants=(Constant("1", twin="even m: with 0.99 max(1+q, 1/(1-q^2))", by="0.99"),),
)
