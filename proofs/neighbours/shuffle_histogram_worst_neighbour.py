"""The shuffle histogram: P^zsum on every bin."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, binomial, image, independent, worst_is
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel


def pools(data: tuple[int, ...], k: int, p: Fraction) -> Law:
    """The number of ones in each of the k pools; every pool holds 2N bits."""
    counts = [sum(x == j for x in data) for j in range(k)]
    noise = independent(*[binomial(len(data), p)] * k)
    return image(noise, lambda draws: tuple(c + x for c, x in zip(counts, draws, strict=True)))


def worst(k: int, users: int, p: Fraction, curve_p: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the curve of exact.views.shuffle_histogram."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.binomial import shuffle_histogram_view as view

    curve = view(k, users, real(curve_p)).curve
    return worst_is(
        says or f"k = {k}, N = {users}, p = {p}: the largest delta over all neighbouring datasets is the curve's",
        range(k),
        users,
        lambda data: pools(data, k, p),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


STATEMENT = Statement(
    where="the view of the shuffle histogram (Appendix A.4, for every bin)",
    kind="worst neighbour",
    printed=(
        "The shuffled labelled messages of N honest users (P^zsum in each of k bins) are (eps, delta)-private if and only if (X + 1, Y) and (X, Y + 1) are (eps, delta)-close, X and Y independent, both Bin(N, p)."
    ),
    hypotheses=(
        "k >= 2 bins (k = 1 has one dataset only)",
        "0 <= p <= 1",
        "eps, delta >= 0",
        "N >= 1",
    ),
    steps=(kernel("shuffle-histogram-worst-neighbour"),),
    also=(
        kernel("shuffle-histogram-pair"),
        kernel("shuffle-histogram-pool"),
        worst(2, 1, Fraction(1, 2), Fraction(1, 2)),
        worst(2, 3, Fraction(3, 4), Fraction(3, 4)),
        worst(3, 2, Fraction(2, 3), Fraction(2, 3)),
    ),
    twins=(
        worst(2, 3, Fraction(3, 4), Fraction(4, 5), "with p = 4/5 in place of 3/4"),
        worst(3, 2, Fraction(2, 3), Fraction(3, 5), "with p = 3/5 in place of 2/3"),
    ),
)
