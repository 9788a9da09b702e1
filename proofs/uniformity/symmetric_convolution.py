"""Appendix A.3, proof of Claim symmetric-mean-zero: a sum over the integers."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, image, independent
from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

HALVES: Law = {Fraction(-1, 2): Fraction(1, 2), Fraction(1, 2): Fraction(1, 2)}
WHOLE: Law = {Fraction(-1): Fraction(1, 2), Fraction(1): Fraction(1, 2)}


def convolution(says: str, first: Law, second: Law, grid: list[Fraction]) -> Step:
    """P[t + t' = v] is the sum over u in the grid of P[t = u] P[t' = v - u]."""
    truth = image(independent(first, second), lambda parts: parts[0] + parts[1])

    def summed(v: Fraction) -> Fraction:
        return sum((first.get(u, Fraction(0)) * second.get(v - u, Fraction(0)) for u in grid), Fraction(0))

    values = sorted(v for v in truth if isinstance(v, Fraction))
    return exhaustive(
        says,
        lambda v: summed(v) == truth[v],
        values,
        lambda v: f"v = {v}: the sum is {summed(v)}, the probability {truth[v]}",
    )


INTEGERS = [Fraction(u) for u in range(-3, 4)]
HALF_INTEGERS = [Fraction(u, 2) for u in range(-6, 7)]

STATEMENT = Statement(
    label="clm:symmetric-mean-zero",
    where="Appendix A.3, proof of Claim symmetric-mean-zero, the second display",
    kind="display",
    printed="P[t + t' = v] = sum over u in Z of P[t = u] P[t' = v - u], for symmetric T, T' such as those of E_j d_j.",
    covers=("display-54",),
    severity="unproved step",
    steps=(convolution("with t = E_1/2, d_1 = 1/2, E_1 a fair sign", HALVES, WHOLE, INTEGERS),),
    why="The d_j are real, so the E_j d_j are not integers; the sum has to run over the support.",
    repair=Repair(
        "The sum over the support of T, which is countable.",
        (convolution("the same over the half-integers", HALVES, WHOLE, HALF_INTEGERS), kernel("symmetric-mean-zero")),
        argument=(
            "The events t = u, for u in the support of T, are disjoint and have total probability 1; on each, t + t' = v means t' = v - u, and t and t' are independent. So P[t + t' = v] is the sum over the support of P[t = u] P[t' = v - u], the support being finite or countable. Symmetry of the sum is the kernel's theorem, for finite laws on the reals."
        ),
    ),
    survives="The claim survives.",
    twins=(
        convolution("with two such halves", HALVES, HALVES, INTEGERS),
        convolution("over the half-integers up to 0 only", HALVES, WHOLE, HALF_INTEGERS[:7]),
    ),
)
