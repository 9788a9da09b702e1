"""The pan-private histogram: (I_t, output) of all bins."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, image, independent, worst_is
from panshuffle.proofs.neighbours.pan_sum_worst_neighbour import joint
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel


def histogram(stream: tuple[int, ...], t: int, lam: int, k: int) -> Law:
    """The law of (I_t, output) of k independent bins."""
    bins = [joint(tuple(int(x == j) for x in stream), t, lam) for j in range(k)]
    return image(independent(*bins), lambda parts: parts)


def worst(k: int, n: int, t: int, lam: int, coins: int, says: str = "") -> Step:
    """All neighbouring streams at time t against the curve of exact.views.pan_histogram."""
    from panshuffle.exact.views.binomial import pan_histogram_view as view

    curve = view(k, coins).curve
    return worst_is(
        says
        or f"k = {k}, n = {n}, t = {t}, lam = {lam}: the largest delta over all neighbouring streams is the curve's",
        range(k),
        n,
        lambda stream: histogram(stream, t, lam, k),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


STATEMENT = Statement(
    where="the view of the pan-private histogram (section 5)",
    kind="worst neighbour",
    printed=(
        "The pan-private histogram is (eps, delta)-pan-private, and its (I_t, output) is (eps, delta)-private at any one time t, if and only if (X + 1, Y) and (X, Y + 1) are (eps, delta)-close, X and Y independent, both Bin(lam, 1/2)."
    ),
    hypotheses=(
        "k >= 2 bins (k = 1 has one stream of each length only)",
        "eps, delta >= 0",
        "n >= 1",
    ),
    steps=(
        kernel("pan-histogram-worst-neighbour"),
        kernel("pan-histogram-worst-neighbour-at"),
    ),
    also=(
        kernel("pan-histogram-pair"),
        kernel("pan-histogram-bin"),
        kernel("pair-certificate"),
        worst(2, 1, 0, 1, 1),
        worst(2, 1, 1, 2, 2),
        worst(2, 2, 1, 1, 1),
        worst(3, 1, 1, 1, 1),
    ),
    twins=(
        worst(2, 1, 1, 2, 3, "with one coin more"),
        worst(2, 2, 1, 1, 2, "as private as with two coins a bin"),
    ),
)
