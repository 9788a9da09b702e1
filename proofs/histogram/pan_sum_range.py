"""Algorithm Q_ZSUM: is the output a positive integer?"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, kernel_refutation

CASES = [
    (stream, lam, first, second)
    for lam in (1, 2)
    for stream in product((0, 1), repeat=2)
    for first, second in product(range(lam + 1), repeat=2)
]


def every_output(says: str, holds: Callable[[int, int], bool]) -> Step:
    """A claim about the output z and lam; every outcome of the two Bin(lam, 1/2) draws has positive probability."""
    return exhaustive(
        says + ", for every stream of two bits, lam <= 2 and all draws",
        lambda case: holds(sum(case[0]) + case[2] + case[3], case[1]),
        CASES,
        lambda case: (
            f"stream {case[0]}, lam = {case[1]}, draws {case[2]} and {case[3]}: "
            f"the output is {sum(case[0]) + case[2] + case[3]}"
        ),
    )


STATEMENT = Statement(
    label="alg:zerocount-pan",
    where="section 5, Algorithm Q_ZSUM, its output",
    kind="algorithm",
    printed="The output z is in N, where N = {1, 2, ...}.",
    covers=("alg:zerocount-pan",),
    severity="convention",
    steps=(
        kernel_refutation("sum-range-refuted", "lambda = 1 and the stream (0): the output is 0 with probability 1/4"),
    ),
    why="On a stream of zeros both draws are 0 with probability 4^-lam, and N begins with 1 in this paper.",
    repair=Repair(
        "The output is a whole number from 0 to n + 2 lam.",
        (kernel("sum-range"),),
    ),
    survives="Theorem zerocount-pan does not use the range.",
    twins=(
        every_output("the output is at most n + 2 lam - 1", lambda z, lam: z <= 2 + 2 * lam - 1),
        every_output("the output is at most n + lam", lambda z, lam: z <= 2 + lam),
    ),
)
