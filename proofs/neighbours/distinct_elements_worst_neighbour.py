"""P_DE with its real messages."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, image, independent, mixture, shares, stick, total, worst_is
from proofs.statement import Statement, Step
from proofs.steps import exhaustive, kernel, smt


def pools(data: tuple[int, ...], k: int, m: int, q: Fraction) -> Law:
    """The number of ones in each pool; a user who holds j has a fair bit for j, others a bit that is 1 w.p. (1-q)/2."""

    def user(holds: bool) -> Law:
        p = Fraction(1, 2) if holds else (1 - q) / 2
        return mixture([(shares(0, m), 1 - p), (shares(1, m), p)])

    return image(independent(*(total([user(x == j) for x in data]) for j in range(k))), lambda parts: parts)


def worst(k: int, users: int, m: int, q: Fraction, says: str = "") -> Step:
    """All neighbouring datasets against the worst background of exact.pairs.parity_pair."""
    from exact.pairs.parity_pair_exact import worst_background_exact

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
    from exact.pairs.parity_pair import backgrounds
    from exact.pairs.parity_pair_exact import parity_pair_delta_exact

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
        "If a user goes from a to b, only the pools of a and b carry the change, and their laws depend on the numbers CA and CB of "
        "other honest holders only; CA + CB <= N - 1 (= N - 1 for k = 2). The worst is the largest over these backgrounds."
    ),
    hypotheses=("k >= 2 (k = 1 has one dataset only)", "N >= 1 honest users"),
    rests_on=("common-factor",),
    also=(kernel("distinct-certificate"),),
    steps=(
        smt(
            "CA + CB <= N - 1",
            ("CA + CB + others = N - 1",),
            CA="[0, inf)",
            CB="[0, inf)",
            others="[0, inf)",
            N="[1, inf)",
        ),
        common_holder("N = 2, k = 3, m = 2: a third pool changes nothing", Fraction(3, 2)),
        worst(2, 1, 3, Fraction(1, 2)),
        worst(2, 2, 2, Fraction(1, 2)),
        worst(2, 2, 3, Fraction(2, 3)),
        worst(3, 2, 2, Fraction(1, 3)),
        worst(2, 3, 2, Fraction(1, 2)),
    ),
    argument=(
        "R_DE draws the bit and the messages of each label independently of the other labels and users, so the pools are independent, and the law of pool j is that of a sum over users, each with one law for a holder of j "
        "and one for everybody else: it depends on the number of holders only. If a user goes from a to b, the pools of other labels have the same law before and after; they are a common factor and drop out. Among the other N - 1 honest "
        "users CA hold a and CB hold b, and a user holds one element: CA + CB <= N - 1. For k >= 3 every such pair arises, with the others at a third element; for k = 2 everybody else holds a or b. So the largest delta over all neighbours is the "
        "largest over these backgrounds."
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
