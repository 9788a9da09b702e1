"""Theorem ikos: modular sums from shares."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, kernel, smt


def tv_below(says: str, m_from_sigma: int, cases: list[tuple[int, int]]) -> Step:
    """TV < 2^-sigma for the worst input, with m = sigma + m_from_sigma messages."""
    from panshuffle.exact.pairs.share_distance import worst_share_tv

    return exhaustive(
        says,
        lambda case: worst_share_tv(case[0], case[1] + m_from_sigma)[0] < Fraction(1, 2 ** case[1]),
        cases,
        lambda case: (
            f"N = {case[0]}, sigma = {case[1]}, m = {case[1] + m_from_sigma}: "
            f"TV = {worst_share_tv(case[0], case[1] + m_from_sigma)[0]}"
        ),
    )


STATEMENT = Statement(
    label="thm:ikos",
    where="section 3.1, Theorem ikos",
    kind="theorem",
    printed="There is a shuffle protocol P_MOD that receives x in {0,1}^n and a security parameter sigma > 0 and outputs the sum of x mod 2 if all users are honest. If only gamma n >= 2 users are honest, h being their values, the total variation between "
    "(S o R_MOD^(gamma n))(h) and (S o R_MOD^(gamma n))(w), w = (sum of h mod 2, 0, ..., 0), is less than 2^-sigma. Each honest user sends O(sigma + log n) one-bit messages.",
    reading="The last sentence is about the n >= 2 of the one before. The messages are m uniform shares, m the least whole number that is at least sigma + log2 n + 5/2.",
    covers=("thm:ikos",),
    steps=(kernel("paper-thm-ikos"),),
    twins=(
        tv_below(
            "sigma + 1 messages are enough, sigma in {2, 3, 4}, N in {2, 3, 4}",
            1,
            [(n, s) for n in (2, 3, 4) for s in (2, 3, 4)],
        ),
        smt("s + L + 3.5 <= 4.4*(s + L)", says="with 4.4 (sigma + log2 n)", s="(0, inf)", L="[1, inf)"),
        identity(
            "4*n*2^(-(s + log(n)/log(2) + 2.4)) = 2^(-s)*2^(-1/2)",
            says="with 2.4 in place of 5/2",
            n="[1, inf)",
            s="(0, inf)",
        ),
    ),
    constants=(
        Constant("4.5", twin="with 4.4 (sigma + log2 n)", by="4.4"),
        Constant(
            "5/2",
            slack="not tight: any number above 2 gives the strict inequality, and log2 n is not needed at all from m = 3 on",
        ),
    ),
)
