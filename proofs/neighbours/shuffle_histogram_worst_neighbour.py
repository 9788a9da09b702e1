"""The shuffle histogram: P^zsum on every bin."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, binomial, image, independent, worst_is
from proofs.statement import Statement, Step
from proofs.steps import identity, kernel


def pools(data: tuple[int, ...], k: int, p: Fraction) -> Law:
    """The number of ones in each of the k pools; every pool holds 2N bits."""
    counts = [sum(x == j for x in data) for j in range(k)]
    noise = independent(*[binomial(len(data), p)] * k)
    return image(noise, lambda draws: tuple(c + x for c, x in zip(counts, draws, strict=True)))


def worst(k: int, users: int, p: Fraction, curve_p: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the curve of exact.views.shuffle_histogram."""
    from exact.numbers.real import real
    from exact.views.shuffle_histogram import view

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
    printed="Every neighbouring pair is a shift of Bin(N, p) up by 1 in one pool and down by 1 in another, independent ones.",
    rests_on=("common-factor", "binary-sum-worst-neighbour"),
    hypotheses=("k >= 2 bins (k = 1 has one dataset only)",),
    steps=(
        identity(
            "z - (c + 1) = (z - 1) - c",
            says="the law of a pool with count c + 1 is that with c, shifted",
            z="(-inf, inf)",
            c="(-inf, inf)",
        ),
        worst(2, 1, Fraction(1, 2), Fraction(1, 2)),
        worst(2, 3, Fraction(3, 4), Fraction(3, 4)),
        worst(3, 2, Fraction(2, 3), Fraction(2, 3)),
    ),
    also=(kernel("shuffle-histogram-pair"), kernel("shuffle-histogram-pool")),
    argument=(
        "A user sends P^zsum's two bits for every bin, with labels and with independent noise, so the pools are independent, and the one of bin j is told by its number of ones, c_j + Bin(N, p). If a user goes from a to b, c_a falls by 1 and c_b rises by 1; "
        "the other pools are a common factor. Subtracting the smaller count in each of the two pools is a bijection of the outcomes, so whatever the others hold the pair is a shift by 1 one way in one pool and the other way in the other."
    ),
    twins=(
        worst(2, 3, Fraction(3, 4), Fraction(4, 5), "with p = 4/5 in place of 3/4"),
        worst(3, 2, Fraction(2, 3), Fraction(3, 5), "with p = 3/5 in place of 2/3"),
    ),
)
