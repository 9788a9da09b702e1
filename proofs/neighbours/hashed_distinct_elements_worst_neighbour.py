"""P_HDE: P_DE after a public hash function."""

from __future__ import annotations

from itertools import product

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, kernel

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
        "For every hash function h from [k] to [k'], neighbours stay neighbours or become equal, so delta is at most that of P_DE on [k']; it is attained if h takes at least three values, or k' = 2 and h takes both. "
        "(With fewer values it may be smaller: for k = 2 < k' = 3 everybody else holds one of two elements.)"
    ),
    rests_on=("distinct-elements-worst-neighbour",),
    steps=(kernel("hashing-preserves-privacy"), stays_neighbouring("neighbouring datasets stay neighbouring", 1)),
    argument=(
        "A user runs R_DE on h(x), so the view is that of P_DE on [k'] for the dataset h(x_1), ..., h(x_N), which changes in the changed user's row at most: the kernel's theorem, for every h and every guarantee of P_DE. "
        "The worst neighbours of P_DE are given by the numbers of other holders of two elements, the rest being at a third one; if h takes three values (or both, if k' = 2), all these datasets are images of datasets under h."
    ),
    twins=(
        stays_neighbouring("neighbouring datasets become equal", 0),
        stays_neighbouring("also if both rows change", 1, True),
    ),
)
