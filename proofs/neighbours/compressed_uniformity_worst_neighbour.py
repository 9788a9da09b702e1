"""P_UT after domain compression."""

from __future__ import annotations

from itertools import product

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

PARTITIONS = [group for k in (2, 3, 4) for group in product(range(2), repeat=k)]


def stays_neighbouring(says: str, at_most: int) -> Step:
    """Datasets that differ in one row differ in at most so many rows after grouping."""
    cases = [
        (group, x, y) for group in PARTITIONS for x in product(range(len(group)), repeat=2) for y in near(x, len(group))
    ]
    return exhaustive(
        says + ", for k <= 4, two groups and two users",
        lambda case: sum(case[0][a] != case[0][b] for a, b in zip(case[1], case[2], strict=True)) <= at_most,
        cases,
        lambda case: f"groups {case[0]}, datasets {case[1]} and {case[2]}",
    )


def near(x: tuple[int, ...], k: int) -> list[tuple[int, ...]]:
    """The datasets that differ from x in the first row at most."""
    return [(a, *x[1:]) for a in range(k)]


def never_differs(says: str) -> Step:
    """Two elements always stay different after grouping (they do not)."""
    cases = [(group, a, b) for group in PARTITIONS for a in range(len(group)) for b in range(a)]
    return exhaustive(says, lambda case: case[0][case[1]] != case[0][case[2]], cases, str)


STATEMENT = Statement(
    where="the view of P_UT after domain compression (section 4.1.2)",
    kind="worst neighbour",
    printed=(
        "For every partition in which two elements are in different groups, the view is (eps, delta)-private if and only if the pair of P_UT is (eps, delta)-close; two elements in one group give the same view."
    ),
    hypotheses=(
        "lambda >= 0",
        "N >= 1 honest users",
        "eps, delta >= 0",
    ),
    steps=(
        kernel("compressed-uniformity-worst-neighbour"),
        kernel("compressed-uniformity-same-group"),
    ),
    also=(
        kernel("hashing-preserves-privacy"),
        stays_neighbouring("neighbouring datasets stay neighbouring", 1),
    ),
    twins=(
        stays_neighbouring("neighbouring datasets become equal", 0),
        never_differs("different elements stay in different groups"),
    ),
)
