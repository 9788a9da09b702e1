"""Theorem ikos: P_MOD outputs the sum mod 2."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import shares, total
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def parity(says: str, off: int, m: int) -> Step:
    """The sum of all shares has the parity of the sum of the bits, plus `off`."""
    inputs = [(a, b) for a in (0, 1) for b in (0, 1)]

    def holds(bits: tuple[int, int]) -> bool:
        law = total([shares(bit, m) for bit in bits])
        return all(
            isinstance(x, int) and (x - sum(bits) - off) % 2 == 0 for x, mass in law.items() if mass > Fraction(0)
        )

    return exhaustive(says, holds, inputs, str)


STATEMENT = Statement(
    label="thm:ikos",
    where="section 3.1, Theorem ikos, 'outputs the sum mod 2 if all users are honest'",
    kind="theorem",
    printed="P_MOD outputs the sum of the x_i mod 2 if all users are honest.",
    reading="P_MOD sends m >= 1 one-bit shares a user, uniform among those whose sum mod 2 is the user's bit, and adds all bits mod 2; the paper cites it without printing it.",
    steps=(
        kernel("paper-thm-ikos"),
        kernel("modular-sum-correct"),
        kernel("shares-uniform"),
        kernel("shares-sum"),
    ),
    twins=(parity("the parity is the opposite one", 1, 3), parity("the parity is off by m = 1", 1, 1)),
)
