"""Algorithm Q_ZSUM: is the output a positive integer?"""

from __future__ import annotations

from itertools import product

from proofs.statement import Statement
from symbolic.answer import Answer
from symbolic.exhaustive import check_all


def check() -> Answer:
    """Every outcome of the two Bin(lam, 1/2) draws has positive probability."""
    cases = [
        (stream, lam, first, second)
        for lam in (1, 2)
        for stream in product((0, 1), repeat=2)
        for first, second in product(range(lam + 1), repeat=2)
    ]
    return check_all(
        lambda case: sum(case[0]) + case[2] + case[3] >= 1,
        cases,
        lambda case: f"stream {case[0]}, lam = {case[1]}, both draws 0: the output is 0, and N = {{1, 2, ...}}",
    )


STATEMENT = Statement(
    label="alg:zerocount-pan",
    where="section 5, Algorithm Q_ZSUM",
    printed="The output z is in N, where N = {1, 2, ...}.",
    check=check,
    repair="The output is a whole number from 0 to n + 2 lam.",
)
