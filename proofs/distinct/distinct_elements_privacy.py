"""Theorem de_upper, Part I: P_DE is robustly shuffle private."""

from __future__ import annotations

from fractions import Fraction

from proofs.distinct.distinct_randomizer_runs import check as randomizer_runs
from proofs.statement import Repair, Statement, Step
from proofs.steps import computed, exhaustive, kernel


def holds_at(says: str, users: int, m: int, q: Fraction, read_at: Fraction, delta: Fraction) -> Step:
    """P_DE with so many users, k = 2 and q = (1 - e^-eps)^(1/n) has at most this delta at this e^(2 eps)."""
    from exact.parity_pair import worst_background_exact

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
    printed=(
        "P_DE is (2 eps(gamma), 4 delta/gamma, gamma)-robustly shuffle private, eps(gamma) <= eps + ln(1/gamma), and "
        "eps(gamma) <= 2 eps^gamma/gamma if eps <= ln 2."
    ),
    hypotheses=("eps > 0, gamma in (0,1], delta in (0,1)", "gamma n is a whole number"),
    covers=("thm:de_upper", "display-6"),
    rests_on=(
        "post-processing",
        "composition",
        "total-variation-privacy",
        "distinct-ber",
        "eps-prime-case-1",
        "eps-prime-case-2",
    ),
    steps=(
        computed(
            "R_DE, which the theorem is about, runs as printed",
            lambda: randomizer_runs(m_is_a_parameter=False),
            "scope",
        ),
    ),
    why="The randomizer's number m of messages is never defined, so there is no protocol yet that the theorem could be about.",
    repair=Repair(
        "The same with m(n) messages a label where 4 n 2^-m(n) <= delta/(e^eps+1), for every n and all gamma' >= gamma; the kernel "
        "proves it for the real randomizer and a uniform shuffler.",
        (kernel("distinct-privacy"),),
    ),
    survives="This is the theorem; with m defined it holds.",
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
            "two messages are enough: e^eps = 4, delta = 10^-6, two users",
            2,
            2,
            Fraction(3, 4),
            Fraction(5, 2),
            Fraction(4, 10**6),
        ),
    ),
)
