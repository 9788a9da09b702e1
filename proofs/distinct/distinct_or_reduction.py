"""Section 3.1: D(x) is a sum of ORs."""

from __future__ import annotations

from itertools import product

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, smt

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
    steps=(
        smt(
            "o + (1 - o)*b >= o",
            says="one row more: o + (1-o)b is at least o, the OR so far, b being the bit x_(n+1) = i",
            o="integer [0, 1]",
            b="integer [0, 1]",
        ),
        smt("o + (1 - o)*b >= b", says="and at least b", o="integer [0, 1]", b="integer [0, 1]"),
        smt(
            "(o + (1 - o)*b)*(1 - o)*(1 - b) = 0",
            says="and 0 if both are: it is the OR",
            o="integer [0, 1]",
            b="integer [0, 1]",
        ),
        sum_of_ors("D(x) is the sum of the k ORs, for all datasets with k <= 3 and n <= 3, the empty one too", 1),
    ),
    argument=(
        "D(x) is the number of i in [k] for which some row is i, so the sum over i of the indicator of that. The indicator of 'some row is i' is the OR of the bits (x_j = i): for no rows both are 0, and one "
        "row more makes the indicator o + (1-o)b, which is the OR by the steps. The last step is a check by enumeration."
    ),
    twins=(sum_of_ors("with the sum from i = 2", 2), sum_of_ors("with D(x) + 1", 1, 1)),
)
