"""Q_ZSUM: (I_t, output) at every time t."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, worst_is
from panshuffle.proofs.histogram.pan_sum import view
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel


def joint(stream: tuple[int, ...], t: int, lam: int) -> Law:
    """The law of (I_t, output)."""
    return view(stream, t, lam, lam)


def worst(n: int, t: int, lam: int, coins: int, says: str = "") -> Step:
    """All neighbouring streams of n bits at time t against the curve of exact.views.pan_sum."""
    from panshuffle.exact.views.binomial import pan_sum_view

    curve = pan_sum_view(coins).curve
    return worst_is(
        says or f"n = {n}, t = {t}, lam = {lam}: the largest delta over all neighbouring streams is the curve's",
        (0, 1),
        n,
        lambda stream: joint(stream, t, lam),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


STATEMENT = Statement(
    where="the view of Q_ZSUM (section 5)",
    kind="worst neighbour",
    printed=(
        "Q_ZSUM is (eps, delta)-pan-private, and its (I_t, output) is (eps, delta)-private at any one time t, if and only if Bin(lam, 1/2) and Bin(lam, 1/2) + 1 are (eps, delta)-close in both directions."
    ),
    hypotheses=(
        "eps, delta >= 0",
        "n >= 1",
    ),
    steps=(
        kernel("pan-sum-worst-neighbour"),
        kernel("pan-sum-worst-neighbour-at"),
    ),
    also=(*(worst(2, t, lam, lam) for t in (0, 1, 2) for lam in (1, 3)),),
    twins=(
        worst(2, 1, 3, 6, "as private as one shift of Bin(2 lam, 1/2), the noise of the output alone"),
        worst(2, 2, 3, 2, "as one shift of Bin(lam - 1, 1/2)"),
    ),
)
