"""Fact post: privacy is preserved under post-processing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs.statement import Statement, Step
from proofs.steps import exhaustive, kernel

Law = tuple[Fraction, ...]
Case = tuple[Law, Law, Law]
TENTHS = [tuple(Fraction(x, 4) for x in (a, b, 4 - a - b)) for a in range(5) for b in range(5 - a)]
CHANCES = [tuple(Fraction(x, 2) for x in row) for row in product(range(3), repeat=3)]
CASES: list[Case] = [(p, q, f) for p in TENTHS for q in TENTHS for f in CHANCES]


def stick(upper: Law, lower: Law, exp_eps: Fraction) -> Fraction:
    """The hockey-stick divergence of two laws."""
    return sum((max(p - exp_eps * q, Fraction(0)) for p, q in zip(upper, lower, strict=True)), Fraction(0))


def image(law: Law, chances: Law) -> Law:
    """The law of a random bit that is 1 with the chance that belongs to the outcome."""
    one = sum((p * f for p, f in zip(law, chances, strict=True)), Fraction(0))
    return (1 - one, one)


def never_grows(says: str, after: Fraction) -> Step:
    """The divergence after any random function to a bit, read at `after`, is at most the one before it at 2."""
    return exhaustive(
        says + ", for all laws on three points in quarters and random bits with chances in halves",
        lambda case: (
            stick(image(case[0], case[2]), image(case[1], case[2]), after) <= stick(case[0], case[1], Fraction(2))
        ),
        CASES,
        lambda case: f"laws {', '.join(map(str, case[0]))} and {', '.join(map(str, case[1]))}",
    )


STATEMENT = Statement(
    label="fact:post",
    where="section 2.1, Fact (post-processing)",
    kind="fact",
    printed="If A is (eps, delta)-differentially private and f is a random function, f o A is (eps, delta)-differentially private.",
    covers=("fact:post",),
    steps=(kernel("post-processing"), never_grows("the same by exact computation at e^eps = 2", Fraction(2))),
    twins=(
        never_grows("with a smaller eps after the function, e^eps = 19/10", Fraction(19, 10)),
        never_grows("with eps = 0 after the function", Fraction(1)),
    ),
)
