"""Section 3.1: one fair bit makes the sum fair."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, kernel


def fair(says: str, holder: Fraction) -> Step:
    """The sum mod 2 of a Ber(holder) bit and of others is fair."""
    cases = [(n, Fraction(p, 4)) for n in (0, 1, 2, 3) for p in range(5)]

    def one(case: tuple[int, Fraction]) -> Fraction:
        n, p = case
        total = Fraction(0)
        for bits in product((0, 1), repeat=n + 1):
            mass = Fraction(1)
            for i, bit in enumerate(bits):
                chance = holder if i == 0 else p
                mass *= chance if bit else 1 - chance
            total += mass if sum(bits) % 2 else 0
        return total

    return exhaustive(
        says,
        lambda case: one(case) == Fraction(1, 2),
        cases,
        lambda case: f"{case[0]} others with p' = {case[1]}: {one(case)}",
    )


STATEMENT = Statement(
    where="section 3.1, how the OR is simulated",
    kind="prose",
    printed="If every user reports messages drawn from Ber(p'), the sum (mod 2) is exactly Ber(p); but if there is any user who reports Ber(1/2), the sum is drawn from Ber(1/2).",
    reading="The users' bits are independent, and p' = (1 - (1-2p)^(1/n))/2.",
    steps=(
        kernel("or-simulation-none"),
        kernel("or-simulation-some"),
    ),
    twins=(
        fair("with a holder of Ber(0.49)", Fraction(49, 100)),
        identity("(1 - 2*0.49)*x = 0", says="with 0.49", x="[-1, 1]"),
    ),
)
