"""Section 2.3: robust shuffle privacy is not implied by shuffle privacy."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import binomial, image, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def delta(coins: int, designated: bool) -> Fraction:
    """delta at e^eps = 2 of the sum of n bits plus the designated user's coins, if that user stays."""
    law = binomial(coins if designated else 0, Fraction(1, 2))
    return stick(image(law, lambda x: x + 1), law, Fraction(2))


def example(says: str, coins: int, limit: Fraction, dropped: Fraction) -> Step:
    """With the designated user delta is at most `limit`; without, it is `dropped`."""
    return exhaustive(
        says,
        lambda _: delta(coins, True) <= limit and delta(coins, False) == dropped,
        [0],
        lambda _: f"delta {delta(coins, True)} with, {delta(coins, False)} without the designated user",
        whole=True,
    )


STATEMENT = Statement(
    where="section 2.3, after the definition of robust shuffle privacy; section 1, on malicious users",
    kind="prose",
    printed="Robust shuffle privacy is not implied by shuffle privacy if users may execute different randomizers: if all users report their bit without noise and one designated user "
    "reports multiple randomized bits, the protocol is private, and fails to be once that user drops out: an attacker who knows n - 1 of the users' data learns the n-th's.",
    reading="n users other than the designated one; the randomized bits are fair coins, and the shuffled bits are known by their sum.",
    steps=(
        kernel("designated-private"),
        kernel("dropout-not-private"),
    ),
    twins=(
        example("delta below 4265/262144", 20, Fraction(4264, 262144), Fraction(1)),
        example("delta = 1/2 without the designated user", 20, Fraction(4265, 262144), Fraction(1, 2)),
    ),
)
