"""The central baseline: the number of distinct elements plus geometric noise."""

from __future__ import annotations

from itertools import product

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, identity, smt

PAIRS = [
    (x, y)
    for n in (1, 2, 3)
    for x in product(range(3), repeat=n)
    for y in product(range(3), repeat=n)
    if sum(a != b for a, b in zip(x, y, strict=True)) <= 1
]


def moves(says: str, rows: int, at_most: int) -> Step:
    """D moves by at most so much when one row changes (rows = 1), or is added up over repeated rows."""

    def holds(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        return rows * abs(len(set(pair[0])) - len(set(pair[1]))) <= at_most

    return exhaustive(says + ", for k = 3 and n <= 3", holds, PAIRS, str)


STATEMENT = Statement(
    where="the view of the central baseline (section 3.2)",
    kind="worst neighbour",
    printed="Changing one row moves D by at most 1, so every neighbouring pair is a shift of the symmetric geometric law by 1, or none.",
    steps=(
        smt(
            "-1 <= (gone + come) <= 1",
            ("gone >= -1", "gone <= 0", "come >= 0", "come <= 1"),
            says="the old element may be lost (-1 or 0) and the new one be new (0 or 1)",
            gone="integer (-inf, inf)",
            come="integer (-inf, inf)",
        ),
        moves("D moves by at most 1", 1, 1),
        identity(
            "z - (d + 1) = (z - 1) - d", says="the law at d + 1 is that at d, shifted", z="(-inf, inf)", d="(-inf, inf)"
        ),
    ),
    argument=(
        "If a row goes from a to b, D loses 1 if a occurs in no other row, else 0, and gains 1 if b occurs in no other row, else 0; so D moves by -1, 0 or 1. Subtracting D is a bijection of the outcomes: a pair whose D differ by 1 "
        "has the divergences of the noise and the noise shifted by 1, which are equal in both directions, the law being symmetric; the others have none. For k >= 2 and n >= 2 the move by 1 occurs."
    ),
    twins=(
        moves("D does not move", 1, 0),
        moves("D moves by at most 1/2", 2, 1),
    ),
)
