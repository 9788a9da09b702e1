"""Lemma partition: domain compression."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs.statement import Repair, Statement, Step
from proofs.steps import exhaustive


def balanced(k: int, groups: int) -> list[tuple[int, ...]]:
    """All ways to put k elements into groups of equal size."""
    size = k // groups
    return [g for g in product(range(groups), repeat=k) if all(g.count(i) == size for i in range(groups))]


def chance(law: tuple[Fraction, ...], groups: int, factor: Fraction) -> Fraction:
    """The probability over balanced partitions that TV(D_G, U)^2 >= factor alpha^2 k^/(477^2 10 k)."""
    k = len(law)
    alpha = sum((abs(p - Fraction(1, k)) for p in law), Fraction(0)) / 2
    partitions = balanced(k, groups)

    def distance(g: tuple[int, ...]) -> Fraction:
        masses = [sum((p for p, i in zip(law, g, strict=True) if i == j), Fraction(0)) for j in range(groups)]
        return sum((abs(mass - Fraction(1, groups)) for mass in masses), Fraction(0)) / 2

    bound = factor * alpha**2 * Fraction(groups, 477**2 * 10 * k)
    return Fraction(sum(distance(g) ** 2 >= bound for g in partitions), len(partitions))


LAWS: list[tuple[Fraction, ...]] = [
    (Fraction(1), Fraction(0)),
    (Fraction(3, 4), Fraction(1, 4)),
    (Fraction(1), Fraction(0), Fraction(0), Fraction(0)),
    (Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(0)),
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2), Fraction(0)),
]


def compresses(says: str, least: int, probability: Fraction = Fraction(1, 954), factor: Fraction = Fraction(1)) -> Step:
    """The lemma for some D on [2] and [4], all balanced partitions, and at least so many groups."""
    cases = [(law, groups) for law in LAWS for groups in (1, 2, 4) if least <= groups <= len(law)]
    return exhaustive(
        says,
        lambda case: chance(case[0], case[1], factor) >= probability,
        cases,
        lambda case: (
            f"D = ({', '.join(map(str, case[0]))}), {case[1]} group(s): the probability is {chance(*case, factor)}"
        ),
    )


STATEMENT = Statement(
    label="lem:partition",
    where="section 4.1.2, Lemma partition (Domain Compression)",
    kind="lemma",
    printed=(
        "If the total variation of D and U is alpha and G is a uniformly random partition of [k] into k^ groups, then with probability at "
        "least 1/954 that of D_G and U is at least alpha sqrt(k^)/(477 sqrt(10k))."
    ),
    covers=("lem:partition", "display-29"),
    steps=(compresses("the lemma for five D on [2] and [4] and k^ in {1, 2, 4}", 1),),
    why="With one group D_G is uniform, whatever D is. (The lemma also does not say that the groups have equal size.)",
    repair=Repair(
        "For 2 <= k^ <= k with k^ dividing k and groups of equal size; the constants are those of the papers cited.",
        (compresses("the same for k^ in {2, 4}", 2),),
        ("domain-compression-cited",),
    ),
    survives="The theorem uses k^ >= 2.",
    twins=(
        compresses("k^ >= 2, with probability above 2/3", 2, Fraction(67, 100)),
        compresses("k^ >= 2, with distance above 2 alpha sqrt(k^/k)", 2, Fraction(1, 954), Fraction(477**2 * 40)),
    ),
)
