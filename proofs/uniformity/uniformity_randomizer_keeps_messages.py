"""Algorithm R_UT: does it send a data message for every element?"""

from __future__ import annotations

from itertools import product

from proofs.statement import Statement
from symbolic.answer import Answer
from symbolic.exhaustive import check_all

Message = tuple[int, int]


def messages(x: int, k: int, noise: tuple[int, ...], overwrite: bool) -> list[Message]:
    """The messages of R_UT when s_j = noise[j-1] noise bits, all 0 here, are drawn for pool j."""
    y: list[Message] = []
    for j in range(1, k + 1):
        first = (j, int(x == j))
        y = [first] if overwrite else [*y, first]
        y += [(j, 0)] * noise[j - 1]
    return y


def check(overwrite: bool) -> Answer:
    """The noise scale that A_UT computes for one user, l_j = -1 + the size of pool j, is s_j."""
    cases = [
        (x, k, noise, j)
        for k in range(1, 4)
        for x in range(1, k + 1)
        for noise in product(range(2), repeat=k)
        for j in range(1, k + 1)
    ]

    def scale(case: tuple[int, int, tuple[int, ...], int]) -> int:
        x, k, noise, j = case
        return sum(label == j for label, _ in messages(x, k, noise, overwrite)) - 1

    return check_all(
        lambda case: scale(case) == case[2][case[3] - 1],
        cases,
        lambda case: f"n = 1, k = {case[1]}, x = {case[0]}, s = {case[2]}: l_{case[3]} = {scale(case)}",
    )


STATEMENT = Statement(
    label="alg:ut-r",
    where="section 4.1, Algorithms R_UT and A_UT",
    printed="The noise scale l_j that A_UT computes is the number of noise messages for j.",
    check=lambda: check(overwrite=True),
    repair="The data message is appended to the vector, not assigned to it.",
)
