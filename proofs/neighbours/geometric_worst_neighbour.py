"""The central baseline: the number of distinct elements plus geometric noise."""

from __future__ import annotations

from itertools import product

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

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
    printed=(
        "The number of distinct elements plus symmetric geometric noise is (eps, delta)-private if and only if the noise plus 1 and the noise are (eps, delta)-close."
    ),
    hypotheses=(
        "0 < s < 1, the mass at v being (1-s)/(1+s) s^|v|",
        "k >= 2 and n >= 2 (otherwise the number never changes)",
        "eps, delta >= 0",
    ),
    steps=(kernel("geometric-worst-neighbour"),),
    also=(moves("D moves by at most 1", 1, 1),),
    twins=(
        moves("D does not move", 1, 0),
        moves("D moves by at most 1/2", 2, 1),
    ),
)
