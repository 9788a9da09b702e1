"""Algorithm R_UT: does it send a data message for every element?"""

from __future__ import annotations

from itertools import product

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity

Message = tuple[int, int]


def messages(x: int, k: int, noise: tuple[int, ...], overwrite: bool) -> list[Message]:
    """The messages of R_UT when s_j = noise[j-1] noise bits, all 0 here, are drawn for pool j."""
    y: list[Message] = []
    for j in range(1, k + 1):
        first = (j, int(x == j))
        y = [first] if overwrite else [*y, first]
        y += [(j, 0)] * noise[j - 1]
    return y


CASES = [
    (x, k, noise, j)
    for k in range(1, 4)
    for x in range(1, k + 1)
    for noise in product(range(2), repeat=k)
    for j in range(1, k + 1)
]


def scale_is_noise(overwrite: bool, says: str, extra: int = 1) -> Step:
    """The noise scale that A_UT computes for one user, l_j = -1 + the size of pool j, is s_j."""

    def scale(case: tuple[int, int, tuple[int, ...], int]) -> int:
        x, k, noise, j = case
        return sum(label == j for label, _ in messages(x, k, noise, overwrite)) - extra

    return exhaustive(
        says + ", for one user, k <= 3 and s_j <= 1",
        lambda case: scale(case) == case[2][case[3] - 1],
        CASES,
        lambda case: f"n = 1, k = {case[1]}, x = {case[0]}, s = {case[2]}: l_{case[3]} = {scale(case)}",
    )


STATEMENT = Statement(
    label="alg:ut-r",
    where="section 4.1, Algorithms R_UT and A_UT",
    kind="algorithm",
    printed="The noise scale l_j that A_UT computes is the number of noise messages for j.",
    covers=("alg:ut-r",),
    severity="convention",
    steps=(scale_is_noise(True, "with the data message assigned to the vector, l_j = s_j"),),
    why="The randomizer assigns the data message to the whole vector in every round, so all pools but the last are lost.",
    repair=Repair(
        "The data message is appended to the vector, not assigned to it; then each user sends one data message and s_j "
        "noise messages to every pool, and l_j = -n + |pool j| is the sum of the s_j over the users.",
        (
            identity(
                "-n + (n + s) = s",
                says="n data messages and s noise messages in pool j: l_j = s",
                n="[1, inf)",
                s="[0, inf)",
            ),
            scale_is_noise(False, "with the data message appended, l_j = s_j (and each user adds 1 - 1 = 0 beside it)"),
        ),
        argument=(
            "With the message appended each of n users puts exactly one data message, (j, 1) or (j, 0), and s_j noise messages into pool j, so the pool has n + s messages, s the sum of the users' s_j, and A_UT computes -n + (n + s)."
        ),
    ),
    survives="Theorem ut-upper-bound-prelim is about the repaired randomizer.",
    twins=(
        scale_is_noise(False, "appended, but l_j counts the data message as noise", extra=0),
        scale_is_noise(True, "assigned, and l_j without the correction by n", extra=0),
    ),
)
