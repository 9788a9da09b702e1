"""What an even number of messages gives P_DE."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Constant, Statement, Step
from proofs.steps import exhaustive, identity, smt

EVEN = [(users, m) for users in (2, 3, 4, 5, 6) for m in (2, 4, 6)]
ODD = [(users, m) for users in (1, 2, 3, 4, 5, 6) for m in (1, 3, 5)]
SHARES = [Fraction(1, 2), Fraction(9, 10)]


def largest_ratio(users: int, holders: int, m: int, q: Fraction) -> Fraction:
    """The largest ratio, either way, of the pool's law with one holder more to the law without."""
    from exact.pairs.parity_pair_exact import parity_law

    more, fewer = parity_law(users, holders + 1, m, q), parity_law(users, holders, m, q)
    return max(max(a / b, b / a) for a, b in zip(more, fewer, strict=True))


def even_ratio(says: str, cases: list[tuple[int, int]], factor: Fraction = Fraction(1)) -> Step:
    """Whatever the other users hold, the largest ratio is at most factor max(1 + q, 1/(1 - q^2))."""

    def holds(case: tuple[int, int]) -> bool:
        return all(
            largest_ratio(case[0], c, case[1], q) <= factor * max(1 + q, 1 / (1 - q * q))
            for q in SHARES
            for c in range(case[0])
        )

    return exhaustive(says, holds, cases, lambda case: f"N = {case[0]}, m = {case[1]}")


def odd_ratio(says: str, cases: list[tuple[int, int]]) -> Step:
    """Whatever the other users hold, the largest ratio is exactly 1/(1-q)."""
    return exhaustive(
        says,
        lambda case: all(largest_ratio(case[0], c, case[1], q) == 1 / (1 - q) for q in SHARES for c in range(case[0])),
        cases,
        lambda case: f"N = {case[0]}, m = {case[1]}",
    )


STATEMENT = Statement(
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed=(
        "P_DE has a pure eps for every m. Let law_C be the law of a pool with C holders among N honest users, q = 1 - 2p'. For every m: law_C <= (1+q) law_(C+1) and law_(C+1) <= law_C/(1-q). For odd m the second is attained, "
        "however many users there are. For even m and N >= 2, moreover, law_(C+1) <= max(1+q, 1/(1-q^2)) law_C, and law_(C+1) <= (1+q) law_C if C >= 1."
    ),
    hypotheses=("0 <= q < 1", "C is the number of holders among the other users, N - 1 at most"),
    steps=(
        smt(
            "1 - q <= 1 + q",
            says="one user's masses are (1+q) or (1-q) times a holder's, by the parity of the ones sent, and 1 + q is the larger",
            q="[0, 1)",
        ),
        smt("1/(1 + q) <= 1/(1 - q)", says="the other way round 1/(1-q) is the larger", q="[0, 1)"),
        identity(
            "(1/2*s)/((1 - q)/2*s) = 1/(1 - q)",
            says="odd m: in the pool of all ones every user has parity 1, and only the changed user's factor differs, for every N",
            q="[0, 1)",
            s="(0, 1]",
        ),
        identity(
            "(s + 1)/(i + 1)*((2*i + 1)*(2*i + 2))/((2*s + 2)*(2*s + 1)) = (2*i + 1)/(2*s + 1)",
            says="r_(i+1)/r_i for r_i = C(m,i)/C(2m,2i), s = m - 1 - i: at most 1 up to the middle, so r_i <= r_1 = 1/(2m-1) for 1 <= i <= m-1",
            s="[0, inf)",
            i="[0, inf)",
        ),
        smt("1/(2*m - 1) <= 1/3", says="which is at most 1/3", m="[2, inf)"),
        smt(
            "1 <= (1 + q)*(1 + q*t)",
            says="even m, C >= 1: A^2 <= (1+q)(A^2 + qAB), t = AB/A^2 in [-1/3, 1] at even places",
            q="[0, 1)",
            t="[-1/3, 1]",
        ),
        identity(
            "1 = 1/(1 - q^2)*(1 - q^2)",
            says="even m, C = 0, N = 2, odd places: A^2 + qAB against A^2 + 2qAB + q^2 B^2",
            q="[0, 1)",
        ),
        smt(
            "1 + q*t <= (1 + q)*(1 + 2*q*t + q^2)",
            says="the same at even places",
            q="[0, 1)",
            t="[-1/3, 1]",
        ),
        odd_ratio("odd m <= 5, N <= 6: the ratio is 1/(1-q), at the pool that is all ones", ODD),
        even_ratio("even m <= 6, 2 <= N <= 6: the ratio is at most max(1+q, 1/(1-q^2))", EVEN),
    ),
    argument=(
        "The generating functions of one user's ones are A = ((1+z)/2)^m for a holder and S = A + qB, B = ((1-z)/2)^m, for another; those of pools are A^C S^(N-C), and all have positive coefficients. An inequality between "
        "coefficients stays when both sides are multiplied by the same A's and S's. The coefficients of S are those of A times 1 + q at even and 1 - q at odd places: this gives S <= (1+q) A and A <= S/(1-q), the "
        "first two steps, times A^C S^(N-C-1). Odd m, equality: at Nm ones. Even m: the coefficient of z^x is C(2m,x)/4^m in A^2, (-1)^x times it in B^2, and in AB = ((1-z^2)/4)^m it is 0 at odd x and (-1)^i C(m,i)/4^m at "
        "x = 2i. So t = AB/A^2 at 2i is (-1)^i r_i; it is negative for odd i only, so 1 <= i <= m-1, m being even, and at least -1/(2m-1) >= -1/3 by the fourth and the fifth step (r_i = r_(m-i)). C >= 1: "
        "A^2 <= (1+q) A S at odd places, where AB = 0, and at even ones by the sixth step; multiply by A^(C-1) S^(N-C-1). C = 0, N >= 2: A S <= max(1+q, 1/(1-q^2)) S^2 at odd places by the seventh step and at even ones "
        "by the eighth; multiply by S^(N-2). The last two steps are checks by enumeration."
    ),
    twins=(
        even_ratio("odd m: the same", [(2, 3), (3, 3)]),
        even_ratio("even m: with 0.99 max(1+q, 1/(1-q^2))", EVEN, Fraction(99, 100)),
        odd_ratio("even m: the ratio is 1/(1-q)", EVEN),
        smt("1 <= (1 + 0.4*q)*(1 + q*t)", says="even m, C >= 1: with 1 + 0.4q", q="[0, 1)", t="[-1/3, 1]"),
    ),
    constants=(Constant("1", twin="even m: with 0.99 max(1+q, 1/(1-q^2))", by="0.99"),),
)
