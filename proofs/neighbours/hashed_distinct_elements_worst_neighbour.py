"""P_HDE: P_DE after a public hash function."""

from __future__ import annotations

from itertools import product

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

CASES = [(h, a, b, c) for h in product(range(2), repeat=3) for a in range(3) for b in range(3) for c in range(3)]


def stays_neighbouring(says: str, at_most: int, second_changes: bool = False) -> Step:
    """Datasets (a, c) and (b, c) differ in at most so many rows after hashing."""

    def holds(case: tuple[tuple[int, ...], int, int, int]) -> bool:
        h, a, b, c = case
        other = (c + 1) % 3 if second_changes else c
        return (h[a] != h[b]) + (h[c] != h[other]) <= at_most

    return exhaustive(
        says + ", for all h from [3] to [2]", holds, CASES, lambda case: f"h = {case[0]}, rows {case[1:]}"
    )


STATEMENT = Statement(
    where="the view of P_HDE (Appendix A.2)",
    kind="worst neighbour",
    printed=(
        "For every hash function h from [k] to [k'], the view of P_HDE given h is (eps, delta)-private if the pairs of P_DE on [k'] are (eps, delta)-close for all backgrounds; and only if, where h takes at least three values, or k' = 2 and h takes both."
    ),
    hypotheses=(
        "k' >= 2",
        "eps0 > 0",
        "m >= 1",
        "eps, delta >= 0",
    ),
    steps=(
        kernel("hashed-distinct-elements-at-most"),
        kernel("hashed-distinct-elements-worst-neighbour"),
    ),
    also=(
        kernel("hashing-preserves-privacy"),
        stays_neighbouring("neighbouring datasets stay neighbouring", 1),
    ),
    twins=(
        stays_neighbouring("neighbouring datasets become equal", 0),
        stays_neighbouring("also if both rows change", 1, True),
    ),
)
