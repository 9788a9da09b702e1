"""Theorem ikos: modular sums from shares."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, identity, kernel, smt


def tv_below(says: str, m_from_sigma: int, cases: list[tuple[int, int]]) -> Step:
    """TV < 2^-sigma for the worst input, with m = sigma + m_from_sigma messages."""
    from exact.parity import worst_share_tv

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
    printed=(
        "There is a shuffle protocol that outputs the sum mod 2; if gamma n >= 2 users are honest, the total variation between their "
        "shuffled messages for h and for (sum h mod 2, 0, ..., 0) is below 2^-sigma, with sigma + log2 n + 3.5 one-bit messages a user or fewer."
    ),
    hypotheses=("sigma > 0", "n >= gamma n >= 2"),
    covers=("thm:ikos",),
    steps=(
        kernel("shares-sum"),
        kernel("ikos"),
        identity(
            "4*n*2^(-(s + log(n)/log(2) + 5/2)) = 2^(-s)*2^(-1/2)",
            says="with m >= sigma + log2 n + 5/2 messages the bound 4n 2^-m is at most 2^-sigma/sqrt(2), less than 2^-sigma",
            n="[2, inf)",
            s="(0, inf)",
        ),
        smt(
            "s + L + 3.5 <= 5*(s + L)",
            says="so the least such m, at most sigma + log2 n + 3.5, is O(sigma + log n) for n >= 2, L = log2 n",
            s="(0, inf)",
            L="[1, inf)",
        ),
    ),
    twins=(
        tv_below(
            "sigma + 1 messages are enough, sigma in {2, 3, 4}, N in {2, 3, 4}",
            1,
            [(n, s) for n in (2, 3, 4) for s in (2, 3, 4)],
        ),
        smt("s + L + 3.5 <= 5*(s + L)", says="the count for n = 1 too", s="(0, inf)", L="[0, inf)"),
    ),
)
