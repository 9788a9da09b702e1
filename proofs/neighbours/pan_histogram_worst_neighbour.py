"""The pan-private histogram: (I_t, output) of all bins."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, image, independent, worst_is
from proofs.neighbours.pan_sum_worst_neighbour import SHIFTS, joint
from proofs.statement import Statement, Step
from proofs.steps import kernel


def histogram(stream: tuple[int, ...], t: int, lam: int, k: int) -> Law:
    """The law of (I_t, output) of k independent bins."""
    bins = [joint(tuple(int(x == j) for x in stream), t, lam) for j in range(k)]
    return image(independent(*bins), lambda parts: parts)


def worst(k: int, n: int, t: int, lam: int, coins: int, says: str = "") -> Step:
    """All neighbouring streams at time t against the curve of exact.views.pan_histogram."""
    from exact.views.pan_histogram import view

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
    printed="At every time t, every neighbouring pair is worth a shift of Bin(lam, 1/2) by 1 in each of two independent bins.",
    rests_on=("common-factor", "pan-sum-worst-neighbour"),
    hypotheses=("k >= 2 bins (k = 1 has one stream of each length only)",),
    steps=(
        *SHIFTS,
        worst(2, 1, 0, 1, 1),
        worst(2, 1, 1, 2, 2),
        worst(2, 2, 1, 1, 1),
        worst(3, 1, 1, 1, 1),
    ),
    also=(kernel("pan-histogram-pair"), kernel("pan-histogram-bin"), kernel("pair-certificate")),
    argument=(
        "The bins run Q_ZSUM with coins of their own on the streams of indicators of their elements, so their views are independent. If an element goes from a to b at some place, the stream of bin a loses a 1 there and that of b gains one; the other "
        "bins do not change and are a common factor. By the two identities each of the two bins is, after a bijection of its outcomes, one shift of Bin(lam, 1/2) by 1 and something independent of the change, which drops out: in bin a one way, in bin b the other. "
        "The pair of bins is the product of these two pairs, whatever the rest of the stream is."
    ),
    twins=(
        worst(2, 1, 1, 2, 3, "with one coin more"),
        worst(2, 2, 1, 1, 2, "as private as with two coins a bin"),
    ),
)
