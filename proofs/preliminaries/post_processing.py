"""Fact post: privacy is preserved under post-processing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.finite import Law, stick
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

Chances = tuple[Fraction, ...]
Case = tuple[Law, Law, Chances]
LAWS: list[Law] = [{x: Fraction(w, 4) for x, w in enumerate((a, b, 4 - a - b))} for a in range(5) for b in range(5 - a)]
CHANCES: list[Chances] = [tuple(Fraction(x, 2) for x in row) for row in product(range(3), repeat=3)]
CASES: list[Case] = [(p, q, f) for p in LAWS for q in LAWS for f in CHANCES]


def random_bit(law: Law, chances: Chances) -> Law:
    """The law of a random bit that is 1 with the chance that belongs to the outcome."""
    one = sum((mass * chance for mass, chance in zip(law.values(), chances, strict=True)), Fraction(0))
    return {0: 1 - one, 1: one}


def words(law: Law) -> str:
    """A law on 0, 1, 2 as its masses."""
    return f"({', '.join(map(str, law.values()))})"


def never_grows(says: str, after: Fraction) -> Step:
    """The divergence after any random function to a bit, read at `after`, is at most the one before it at 2."""
    return exhaustive(
        says + ", for all laws on three points in quarters and random bits with chances in halves",
        lambda case: (
            stick(random_bit(case[0], case[2]), random_bit(case[1], case[2]), after)
            <= stick(case[0], case[1], Fraction(2))
        ),
        CASES,
        lambda case: f"laws {words(case[0])} and {words(case[1])}",
    )


STATEMENT = Statement(
    label="fact:post",
    where="section 2.1, Fact (post-processing); section 1, on the analyzer",
    kind="fact",
    printed="For an (eps, delta)-differentially private A and an arbitrary random function f, f o A is (eps, delta)-differentially private.",
    reading="The coins of f are independent of those of A.",
    covers=("fact:post",),
    steps=(kernel("paper-fact-post"),),
    also=(kernel("post-processing"),),
    twins=(
        never_grows("with a smaller eps after the function, e^eps = 19/10", Fraction(19, 10)),
        never_grows("with eps = 0 after the function", Fraction(1)),
    ),
)
