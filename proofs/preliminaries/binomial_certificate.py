"""A computation in whole numbers that proves the binomial mechanism private at a given point."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, inequality, kernel

EXP_EPS = Fraction(2718281828, 10**9)


def coins(says: str, l: int) -> Step:
    """delta of l fair coins at e^eps = 2.718281828 is at most 10^-6."""
    from panshuffle.exact.views.binomial import shift_delta_exact

    def delta(count: int) -> Fraction:
        return shift_delta_exact(count, Fraction(1, 2), EXP_EPS)

    return exhaustive(
        says,
        lambda count: delta(count) <= Fraction(1, 10**6),
        [l],
        lambda count: f"l = {count}: delta is {float(delta(count)):.3e}",
        whole=True,
    )


STATEMENT = Statement(
    label="lem:b_noise",
    where="beside Lemma b_noise, section 2.1",
    kind="sharper",
    printed=(
        "For rational p, e^eps and delta a computation in whole numbers that accepts l proves f(x) + Bin(l, p) (eps, delta)-private for every 1-sensitive f. It accepts l = 80 fair coins at "
        "e^eps = 2.718281828 and delta = 10^-6, where the printed condition asks for l >= 1359."
    ),
    steps=(
        kernel("binomial-certificate"),
        kernel("binomial-certificate-example"),
        inequality(
            "1358 < 20*((2.718281828 + 1)/(2.718281828 - 1))^2*log(2000000) < 1359",
            says="the printed condition at p = 1/2: l >= 20 c^2 ln(2/delta), that is l >= 1359",
        ),
    ),
    twins=(
        coins("79 coins are enough there", 79),
        coins("40 coins are enough there", 40),
        inequality(
            "20*((2.718281828 + 1)/(2.718281828 - 1))^2*log(2000000) < 1358",
            says="l = 1358 fulfils the printed condition",
        ),
    ),
    constants=(Constant("80", twin="79 coins are enough there", by="79"),),
)
