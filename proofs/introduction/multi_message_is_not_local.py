"""Section 1.2: several messages, and no local privacy."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, image, independent, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

BIT: Law = {0: Fraction(1, 2), 1: Fraction(1, 2)}


def alone(says: str, coins: int, allowed: Fraction) -> Step:
    """What one user sends, a bit and so many coins, shuffled: delta at e^eps = 10^9 n e, n = 80."""
    exp_eps = Fraction(80 * 3 * 10**9)

    def law(x: int) -> Law:
        return image(independent(*[BIT] * coins), lambda draws: x + sum(draws))

    def delta(count: int) -> Fraction:
        return stick(law(1), law(0), exp_eps)

    return exhaustive(
        says,
        lambda count: delta(count) <= allowed,
        [coins],
        lambda count: f"one user's bit and {count} coin: delta is {delta(count)} at e^eps = {exp_eps}",
        whole=True,
    )


STATEMENT = Statement(
    where="section 1.2, third paragraph",
    kind="prose",
    printed="(That shuffle privacy grants (eps + ln n, delta)-local privacy) only holds for single-message protocols.",
    reading="There is a protocol with two messages a user that is shuffle private for n users and whose randomizer is not locally private at any eps.",
    rests_on=("dropout-is-worst",),
    steps=(
        kernel("binomial-certificate-example"),
        alone("one user's bit and one coin: delta is 1/2 at e^eps = 80 * 3 * 10^9", 1, Fraction(1, 2)),
    ),
    argument=(
        "Let each of n = 80 users send the bit x_i and a fair coin. The shuffled messages are known by their number of ones, the sum of the x_i plus Bin(80, 1/2): a 1-sensitive sum with 80 coins, (ln 2.718281828, 10^-6)-private by the kernel's theorem. What one user sends alone has "
        "0 or 1 ones if x_i = 0 and 1 or 2 ones if x_i = 1; two ones have the probabilities 1/2 and 0, so delta is at least 1/2 for every eps. (This is no contradiction to dropout-is-worst: the others have to follow the protocol.)"
    ),
    twins=(
        alone("one user's bit and one coin: delta at most 0.49", 1, Fraction(49, 100)),
        alone("one user's bit and two coins: delta at most 0.24", 2, Fraction(24, 100)),
    ),
)
