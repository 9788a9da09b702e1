"""The central OR of section 3.1."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, worst_is
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel


def output(data: tuple[int, ...], exp_eps: Fraction) -> Law:
    """Ber(1/2) if the OR is 1, Ber(1/(2e^eps)) otherwise."""
    p = Fraction(1, 2) if any(data) else 1 / (2 * exp_eps)
    return {0: 1 - p, 1: p}


def worst(n: int, exp_eps: Fraction, curve_exp_eps: Fraction, says: str = "") -> Step:
    """All neighbouring datasets of n bits against the curve of exact.views.randomized_or."""
    from panshuffle.exact.real import log, real
    from panshuffle.exact.views.released import randomized_or_view as view

    curve = view(log(real(curve_exp_eps))).curve

    def claimed(at: Fraction) -> Fraction:
        return curve.exact(at) if curve.exact else max(direct(at), Fraction(0))

    def direct(at: Fraction) -> Fraction:
        half, p = Fraction(1, 2), 1 / (2 * curve_exp_eps)
        return max(half - at * p, (1 - p) - at * half)

    return worst_is(
        says or f"n = {n}, e^eps = {exp_eps}: the largest delta over all neighbouring datasets is the curve's",
        (0, 1),
        n,
        lambda data: output(data, exp_eps),
        claimed,
    )


STATEMENT = Statement(
    where="the view of the central OR (section 3.1)",
    kind="worst neighbour",
    printed=(
        "The central OR with eps0 is (eps, delta)-private if and only if Ber(1/2) and Ber(1/(2e^eps0)) are (eps, delta)-close in both directions."
    ),
    hypotheses=(
        "eps0 > 0",
        "eps, delta >= 0",
        "n >= 1",
    ),
    steps=(kernel("randomized-or-worst-neighbour"),),
    also=(
        worst(1, Fraction(3), Fraction(3)),
        worst(2, Fraction(2), Fraction(2)),
        worst(3, Fraction(3, 2), Fraction(3, 2)),
    ),
    twins=(
        worst(2, Fraction(2), Fraction(21, 10), "with e^eps = 21/10 in place of 2"),
        worst(2, Fraction(2), Fraction(19, 10), "with e^eps = 19/10 in place of 2"),
    ),
)
