"""Theorem de_upper, Part I: P_DE is robustly shuffle private."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def holds_at(says: str, users: int, m: int, q: Fraction, read_at: Fraction, delta: Fraction) -> Step:
    """P_DE with N = n users, k = 2 and q = (1 - e^-eps)^(1/n), so e^eps = 1/(1 - q^N), has at most this delta there."""
    from panshuffle.exact.pairs.parity_pair import worst_background_exact

    def worst(exp_eps: Fraction) -> Fraction:
        return worst_background_exact(users, 2, m, q, exp_eps)[0]

    return exhaustive(
        says,
        lambda exp_eps: worst(exp_eps) <= delta,
        [read_at],
        lambda exp_eps: (
            f"N = n = {users}, k = 2, m = {m}, q = {q}: delta at e^eps = {exp_eps} is {worst(exp_eps)}, above {delta}"
        ),
    )


STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, Theorem de_upper, Part I",
    kind="theorem",
    printed="P_DE is (2 eps(gamma), 4 delta/gamma, gamma)-robustly shuffle private, where eps(gamma) <= eps + ln(1/gamma) and, if eps <= ln 2, "
    "eps(gamma) <= 2 eps^gamma/gamma.",
    hypotheses=("eps > 0, gamma in (0,1], delta in (0,1)",),
    reading="R_MOD is that of the theorem on modular sums at the security parameter sigma of the algorithm, to base 2, so that 2^-sigma = delta/(e^eps+1) (third kernel theorem), and m is its number of messages; the numbers of honest "
    "users are whole and at least 1. The first kernel theorem is for every R_MOD that does what that theorem says; the second for uniform shares, m(n) of them with 4 n 2^-m(n) <= 2^-sigma, with nothing left to assume.",
    covers=("thm:de_upper",),
    steps=(
        kernel("paper-thm-de-upper-i"),
        kernel("distinct-privacy"),
        kernel("binary-sigma"),
    ),
    twins=(
        holds_at(
            "eps(gamma) in place of 2 eps(gamma): one user, e^eps = 2",
            1,
            3,
            Fraction(1, 2),
            Fraction(2),
            Fraction(4, 10**6),
        ),
        holds_at(
            "one message is enough: two users, e^eps = 16/7, at 2 eps, delta = 10^-2",
            2,
            1,
            Fraction(3, 4),
            Fraction(256, 49),
            Fraction(4, 10**2),
        ),
        holds_at(
            "three messages are enough: two users, e^eps = 16/7, at 2 eps, delta = 10^-4",
            2,
            3,
            Fraction(3, 4),
            Fraction(256, 49),
            Fraction(4, 10**4),
        ),
    ),
    constants=(
        Constant("4", slack="not tight: 2 delta/gamma suffices"),
        Constant(
            "2",
            slack="2 eps(gamma) is not tight: ln(2e^eps' - 1) suffices at the printed delta; eps' alone does not, as the first twin says",
        ),
    ),
    referee="One may object that the theorem is about no protocol, because the randomizer's m is never set; but the theorem on modular sums says what it is, and the kernel proves both halves.",
)
