"""The norm of A^(N-j) B^j, A = ((1+z)/2)^m and B = ((1-z)/2)^m: docs/shares.md has the proof."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel


def coefficients(size: int, degree: int) -> list[int]:
    """The coefficients of (1+z)^(size-degree) (1-z)^degree."""
    return [
        sum((-1) ** i * comb(degree, i) * comb(size - degree, x - i) for i in range(min(x, degree) + 1))
        for x in range(size + 1)
    ]


def reciprocity(says: str, sizes: range, off: int = 0) -> Step:
    """C(M, x) [z^d] (1-z)^x (1+z)^(M-x) = C(M, d) [z^x] (1-z)^d (1+z)^(M-d)."""
    cases = [(size, d, x) for size in sizes for d in range(size + 1) for x in range(size + 1)]
    return exhaustive(
        says,
        lambda case: (
            comb(case[0], case[2]) * coefficients(case[0], case[2])[case[1]]
            == comb(case[0], case[1]) * coefficients(case[0], case[1])[case[2]] + off * (case[2] == 1)
        ),
        cases,
        lambda case: f"M = {case[0]}, d = {case[1]}, x = {case[2]}",
    )


def orthonormal(says: str, sizes: range, factor: Fraction = Fraction(1)) -> Step:
    """The sum over x of C(M, x) 2^-M K_d(x)^2 is C(M, d)."""
    cases = [(size, d) for size in sizes for d in range(size + 1)]
    return exhaustive(
        says,
        lambda case: (
            sum(
                Fraction(comb(case[0], x), 2 ** case[0]) * coefficients(case[0], x)[case[1]] ** 2
                for x in range(case[0] + 1)
            )
            == factor * comb(*case)
        ),
        cases,
        lambda case: f"M = {case[0]}, d = {case[1]}",
    )


def norm(says: str, cases: list[tuple[int, int, int]], factor: Fraction = Fraction(1)) -> Step:
    """The squared norm of A^(N-j) B^j is at most factor/C(Nm, mj)."""

    def squared(case: tuple[int, int, int]) -> Fraction:
        users, m, j = case
        return Fraction(sum(map(abs, coefficients(users * m, m * j))), 2 ** (users * m)) ** 2

    return exhaustive(
        says,
        lambda case: squared(case) <= factor / comb(case[0] * case[1], case[1] * case[2]),
        cases,
        lambda case: f"N = {case[0]}, m = {case[1]}, j = {case[2]}",
    )


SMALL = [(users, m, j) for users in (2, 3, 4, 5) for m in (1, 2, 3) for j in range(users + 1)]

STATEMENT = Statement(
    where="not in the paper; used for the number of messages",
    kind="fact",
    printed="The sum of the absolute values of the coefficients of ((1+z)/2)^b ((1-z)/2)^a is at most C(a+b, a)^(-1/2), for whole a, b >= 0: a = mj, b = m(N-j) for A^(N-j) B^j.",
    steps=(kernel("share-norm"),),
    constants=(Constant("1", twin="with 0.96/C(Nm, mj) for the square", by="0.98"),),
    twins=(
        reciprocity("with an error at x = 1", range(3), 1),
        orthonormal("with 0.96 C(M, d)", range(4), Fraction(24, 25)),
        norm("with 0.96/C(Nm, mj) for the square", SMALL, Fraction(24, 25)),
    ),
)
