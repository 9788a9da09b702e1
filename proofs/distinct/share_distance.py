"""A closed bound on the distance of Theorem ikos."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def bounded(says: str, factor: Fraction) -> Step:
    """The largest total variation is at most factor ((1 + 2^-m)^N - 1)."""
    from panshuffle.exact.pairs.share_distance import worst_share_tv

    cases = [(users, m) for users in (2, 3, 4) for m in (2, 3, 4)]
    return exhaustive(
        says,
        lambda case: worst_share_tv(*case)[0] <= factor * ((1 + Fraction(1, 2 ** case[1])) ** case[0] - 1),
        cases,
        lambda case: f"N = {case[0]}, m = {case[1]}: {worst_share_tv(*case)[0]}",
    )


def tight(says: str, factor: Fraction) -> Step:
    """The same at N = 2, m = 8."""
    from panshuffle.exact.pairs.share_distance import worst_share_tv

    return exhaustive(
        says,
        lambda case: worst_share_tv(*case)[0] <= factor * ((1 + Fraction(1, 2 ** case[1])) ** case[0] - 1),
        [(2, 8)],
        lambda case: f"N = {case[0]}, m = {case[1]}: {worst_share_tv(*case)[0]}",
    )


STATEMENT = Statement(
    label="thm:ikos",
    where="beside Theorem ikos, section 3.1",
    kind="sharper",
    printed="The total variation between the shuffled shares of h and of (sum of h mod 2, 0, ..., 0) is at most 2((1 + 2^-m)^N - 1) for every N >= 1, every m >= 1 and every input.",
    steps=(kernel("share-tv-bound"),),
    constants=(Constant("2", slack="at most twice the best factor: 0.99 does not do, as a twin says"),),
    twins=(
        tight("at most 0.99((1 + 2^-m)^N - 1): N = 2, m = 8", Fraction(99, 100)),
        bounded("at most 0.4((1 + 2^-m)^N - 1)", Fraction(2, 5)),
        bounded("at most 0.8((1 + 2^-m)^N - 1)", Fraction(4, 5)),
    ),
)
