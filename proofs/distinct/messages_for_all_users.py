"""The least number of messages that serves every number of users."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def direct(says: str, cases: list[tuple[int, int]], bound: int = 1) -> Step:
    """TV(N, h, m) <= 2^(bound-m) for every h, in rational numbers."""
    from panshuffle.exact.pairs.share_distance import share_tv

    def holds(case: tuple[int, int]) -> bool:
        users, m = case
        limit = Fraction(2) ** (bound - m)
        return all(share_tv(users, h, m) <= limit for h in range(users + 1))

    return exhaustive(says, holds, cases, lambda case: f"N = {case[0]}, m = {case[1]}", whole=True)


STATEMENT = Statement(
    where="beside Theorem ikos, section 3.1",
    kind="sharper",
    printed="With m >= 3 messages a user the total variation between the shuffled shares of h and of (sum of h mod 2, 0, ..., 0) is at most 2^(1-m) for every N >= 2 and every input, so the least m that makes it less than 2^-sigma for all N at once is the least m >= 3 above sigma + 1, without "
    "log n.",
    hypotheses=("sigma > 0", "N >= 2 honest users"),
    steps=(
        kernel("paper-thm-ikos-sharper"),
        kernel("share-tv-sharp"),
        kernel("share-tv-attained"),
        kernel("two-messages-refuted"),
    ),
    constants=(Constant("2", slack="attained at N = h = 2, so no smaller factor will do"),),
    twins=(
        direct("at m = 2: N = 4", [(4, 2)]),
        direct("with 2^-m in place of 2^(1-m): N = 2, m = 3", [(2, 3)], 0),
    ),
)
