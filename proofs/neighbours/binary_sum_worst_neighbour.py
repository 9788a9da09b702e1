"""P^zsum: the true bit and a Ber(p) bit of each user, shuffled."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.finite import Law, law_of, worst_is
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import kernel


def shuffled(data: tuple[int, ...], p: Fraction) -> Law:
    """The multiset of the 2N bits, by going through all noise bits."""
    weighted = []
    for noise in product((0, 1), repeat=len(data)):
        mass = Fraction(1)
        for bit in noise:
            mass *= p if bit else 1 - p
        weighted.append((tuple(sorted((*data, *noise))), mass))
    return law_of(weighted)


def worst(users: int, p: Fraction, curve_users: int, says: str = "") -> Step:
    """All neighbouring datasets of N bits against the curve of exact.views.binary_sum."""
    from panshuffle.exact.real import real
    from panshuffle.exact.views.binomial import binary_sum_view as view

    curve = view(curve_users, real(p)).curve
    return worst_is(
        says or f"N = {users}, p = {p}: the largest delta over all neighbouring datasets is the curve's",
        (0, 1),
        users,
        lambda data: shuffled(data, p),
        lambda exp_eps: curve.exact(exp_eps) if curve.exact else Fraction(-1),
    )


STATEMENT = Statement(
    where="the view of P^zsum (Appendix A.4)",
    kind="worst neighbour",
    printed=(
        "The view of N honest users of P^zsum is (eps, delta)-private if and only if Bin(N, p) and Bin(N, p) + 1 are (eps, delta)-close in both directions."
    ),
    hypotheses=(
        "0 <= p <= 1",
        "eps, delta >= 0",
        "N >= 1",
    ),
    steps=(kernel("binary-sum-worst-neighbour"),),
    also=(
        worst(1, Fraction(1, 2), 1),
        worst(2, Fraction(3, 4), 2),
        worst(3, Fraction(2, 3), 3),
    ),
    twins=(
        worst(3, Fraction(2, 3), 2, "with the noise of one user fewer"),
        worst(2, Fraction(3, 4), 3, "with the noise of one user more"),
    ),
)
