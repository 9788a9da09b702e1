"""Section 2.3, footnote: dropping out is the worst attack."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, binomial, image, independent, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def with_messages(says: str, copies: str) -> Step:
    """Added messages do not raise delta: the sum of honest bits and of malicious ones, or malicious copies of the data."""
    cases = [(l, extra, Fraction(e, 2)) for l in (1, 2, 3) for extra in (0, 1, 2) for e in (2, 3, 5)]
    half = Fraction(1, 2)

    def view(x: int, l: int, extra: int) -> Law:
        if copies:
            return image(binomial(l, half), lambda noise: (x + noise, x if copies == "data" else noise))
        return image(
            independent(binomial(l, half), binomial(extra, Fraction(1, 3))), lambda draws: x + draws[0] + draws[1]
        )

    def holds(case: tuple[int, int, Fraction]) -> bool:
        l, extra, exp_eps = case
        alone = stick(image(binomial(l, half), lambda n: 1 + n), binomial(l, half), exp_eps)
        return stick(view(1, l, extra), view(0, l, extra), exp_eps) <= alone

    return exhaustive(
        says, holds, cases, lambda case: f"{case[0]} honest coins, {case[1]} malicious, e^eps = {case[2]}"
    )


STATEMENT = Statement(
    where="section 2.3, the footnote on malicious users",
    kind="prose",
    printed="With respect to differential privacy, dropping out is the worst malicious users can do: adding messages from malicious users to those from honest users is a "
    "post-processing of the honest users' shuffled messages.",
    reading="What malicious users send does not depend on the honest users' data or coins: they act before the shuffle, and see neither.",
    steps=(kernel("paper-dropout-is-worst"),),
    twins=(
        with_messages("malicious messages may depend on the data", "data"),
        with_messages("malicious messages may depend on the honest coins", "coins"),
    ),
    rests_on=("post-processing",),
)
