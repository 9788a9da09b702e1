"""Section 3.1: D(x) is a sum of ORs."""

from __future__ import annotations

from itertools import product

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

CASES = [(x, k) for k in (1, 2, 3) for n in (0, 1, 2, 3) for x in product(range(1, k + 1), repeat=n)]


def sum_of_ors(says: str, first: int, distinct_from: int = 0) -> Step:
    """The sum over i = first, ..., k of the ORs of (x_j = i) is D(x)."""
    return exhaustive(
        says,
        lambda case: (
            sum(any(x == i for x in case[0]) for i in range(first, case[1] + 1)) == len(set(case[0])) + distinct_from
        ),
        CASES,
        lambda case: f"x = {case[0]}, k = {case[1]}",
    )


STATEMENT = Statement(
    where="section 3, D(x); section 3.1, the main idea",
    kind="prose",
    printed="D(x) = sum over i in [k] of ((x_1 = i) or ... or (x_n = i)).",
    steps=(kernel("or-reduction"),),
    twins=(sum_of_ors("with the sum from i = 2", 2), sum_of_ors("with D(x) + 1", 1, 1)),
)
