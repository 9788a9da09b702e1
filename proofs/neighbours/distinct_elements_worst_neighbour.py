"""P_DE with its real messages."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, image, independent, mixture, shares, stick, total, worst_is
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, smt


def pools(data: tuple[int, ...], k: int, m: int, q: Fraction) -> Law:
    """The number of ones in each pool; a user who holds j has a fair bit for j, others a bit that is 1 w.p. (1-q)/2."""

    def user(holds: bool) -> Law:
        p = Fraction(1, 2) if holds else (1 - q) / 2
        return mixture([(shares(0, m), 1 - p), (shares(1, m), p)])

    return image(independent(*(total([user(x == j) for x in data]) for j in range(k))), lambda parts: parts)


def worst(k: int, users: int, m: int, q: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the worst background of exact.pairs.parity_pair."""
    from panshuffle.exact.pairs.parity_pair import worst_background_exact

    return worst_is(
        says
        or f"k = {k}, N = {users}, m = {m}, q = {q}: the largest delta over all neighbours is that of the worst background",
        range(k),
        users,
        lambda data: pools(data, k, m, q),
        lambda exp_eps: worst_background_exact(users, k, m, q, exp_eps)[0],
    )


def no_holder_is_worst(says: str, users: int, m: int, q: Fraction, exp_eps: Fraction) -> Step:
    """The background without other holders is the worst (it is not)."""
    from panshuffle.exact.pairs.parity_pair import backgrounds, parity_pair_delta_exact

    def delta(background: tuple[int, int]) -> Fraction:
        return parity_pair_delta_exact(users, *background, m, q, exp_eps)

    return exhaustive(
        says,
        lambda background: delta(background) <= delta((0, 0)),
        list(backgrounds(users, 3)),
        lambda background: (
            f"other holders {background}: {float(delta(background)):.3e}, none: {float(delta((0, 0))):.3e}"
        ),
    )


def common_holder(says: str, exp_eps: Fraction) -> Step:
    """Only the pools of the old and the new element matter: a third pool is a common factor."""
    q, m = Fraction(1, 2), 2

    def holds(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        full = stick(pools(pair[0], 3, m, q), pools(pair[1], 3, m, q), exp_eps)
        kept = [image(pools(x, 3, m, q), lambda parts: parts[:2]) for x in pair]
        return full == stick(kept[0], kept[1], exp_eps)

    return exhaustive(says, holds, [((0, 2), (1, 2)), ((1, 1), (0, 1)), ((0, 1), (1, 1))], str)


STATEMENT = Statement(
    where="the view of P_DE (section 3.1)",
    kind="worst neighbour",
    printed=(
        "If a user goes from a to b, the views are (eps, delta)-close if and only if the pools of a and b are, whose laws depend on the numbers CA and CB of other honest holders only. "
        "The view is (eps, delta)-private if and only if these pairs are (eps, delta)-close for all CA + CB <= N - 1 (= N - 1 for k = 2)."
    ),
    hypotheses=(
        "k >= 2 (k = 1 has one dataset only)",
        "eps0 > 0",
        "m >= 1",
        "eps, delta >= 0",
    ),
    steps=(
        kernel("distinct-elements-worst-neighbour"),
        kernel("distinct-elements-every-pair"),
    ),
    also=(
        kernel("distinct-certificate"),
        kernel("distinct-pool-certificate"),
        common_holder("N = 2, k = 3, m = 2: a third pool changes nothing", Fraction(3, 2)),
        worst(2, 1, 3, Fraction(1, 2)),
        worst(2, 2, 2, Fraction(1, 2)),
        worst(2, 2, 3, Fraction(2, 3)),
        worst(3, 2, 2, Fraction(1, 3)),
        worst(2, 3, 2, Fraction(1, 2)),
    ),
    twins=(
        no_holder_is_worst(
            "the background without other holders is the worst: N = 4, m = 3, q = 9/10, e^eps = 12",
            4,
            3,
            Fraction(9, 10),
            Fraction(12),
        ),
        smt(
            "CA + CB <= N - 2",
            ("CA + CB + others = N - 1",),
            says="CA + CB <= N - 2",
            CA="[0, inf)",
            CB="[0, inf)",
            others="[0, inf)",
            N="[1, inf)",
        ),
    ),
)
