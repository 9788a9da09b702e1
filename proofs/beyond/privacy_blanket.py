"""The privacy blanket of a randomizer with finitely many messages."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.beyond.amplification_by_shuffling import LEANING, THREE, Bound, amplified, least, private_with
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

SOMETIMES = [
    [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), Fraction(0)],
    [Fraction(1, 4), Fraction(1, 2), Fraction(0), Fraction(1, 4)],
]
"""Two of the four messages tell which input it was."""


def with_outside(counted: bool) -> Bound:
    """The bound for SOMETIMES, with or without the messages that have no weight."""
    weights = [min(column) for column in zip(*SOMETIMES, strict=True)]

    def bound(x: int, other: int, users: int, exp_eps: Fraction) -> Fraction:
        rows = list(zip(SOMETIMES[x], SOMETIMES[other], weights, strict=True))
        outside = sum((max(a - exp_eps * b, Fraction(0)) for a, b, w in rows if not w), Fraction(0))
        return amplified(rows, users, exp_eps) + counted * outside

    return bound


STATEMENT = Statement(
    where="not in the paper: the privacy blanket (Balle, Bell, Gascon and Nissim 2019)",
    kind="theorem",
    printed=(
        "Let every user send one of finitely many messages, y with probability P_z(y) for the input z, and let 0 <= w(y) <= P_z(y) for all z and y. "
        "The shuffled messages of N users are (eps, delta)-private if, for all inputs x and x', delta is at least E[(W_1 + ... + W_N)_+]/N plus the sum of "
        "(P_x(y) - e^eps P_x'(y))_+ over the y with w(y) = 0, where the W_i are independent, (P_x(y) - e^eps P_x'(y))/w(y) with probability w(y) and 0 with "
        "the rest."
    ),
    hypotheses=("x_+ is x if x > 0, and 0 otherwise", "eps is any real number, and the inputs may be any set"),
    steps=(kernel("blanket"),),
    also=(
        private_with(
            "three values, up to 3 users, w the least masses: delta is at most the bound", THREE, 3, least(THREE)
        ),
        private_with(
            "with two messages of weight 0, up to 4 users: delta is at most the bound", SOMETIMES, 4, with_outside(True)
        ),
    ),
    twins=(
        private_with("without the messages of weight 0", SOMETIMES, 4, with_outside(False)),
        private_with("with N + 1 in place of N", LEANING, 4, least(LEANING, more=1)),
        private_with("with w above the least masses by a tenth", THREE, 3, least(THREE, times=Fraction(11, 10))),
    ),
)
