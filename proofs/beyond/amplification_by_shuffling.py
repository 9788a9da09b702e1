"""Users whose laws have a common part hide the one whose data change: the general bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from panshuffle.proofs.finite import Law, image, independent, law_of, neighbours, stick, total
from panshuffle.proofs.statement import Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

Letters = Sequence[tuple[Fraction, Fraction, Fraction]]
Bound = Callable[[int, int, int, Fraction], Fraction]
THREE = [[Fraction(1, 2) if x == y else Fraction(1, 4) for y in range(3)] for x in range(3)]
"""Three values: the own one with probability 1/2, each of the others with 1/4."""
LEANING = [[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]]
RATIOS = (Fraction(1), Fraction(5, 4), Fraction(7, 4), Fraction(5, 2))


def amplified(letters: Letters, users: int, exp_eps: Fraction) -> Fraction:
    """E[(W_1 + ... + W_N)_+]/N, W = (a - e^eps b)/w with probability w for each letter (a, b, w), and 0 with the rest."""
    spare = (Fraction(0), 1 - sum((w for _, _, w in letters), Fraction(0)))
    law = law_of([spare, *(((a - exp_eps * b) / w, w) for a, b, w in letters if w)])
    parts = (value * mass for value, mass in total([law] * users).items() if isinstance(value, Fraction) and value > 0)
    return sum(parts, Fraction(0)) / users


def reports(table: Sequence[Sequence[Fraction]], data: Sequence[int]) -> Law:
    """The shuffled reports of these users, as a sorted tuple."""
    laws: list[Law] = [dict(enumerate(table[x])) for x in data]
    return image(independent(*laws), lambda seen: tuple(sorted(seen)))


def private_with(says: str, table: Sequence[Sequence[Fraction]], most: int, bound: Bound) -> Step:
    """Up to so many users of a randomizer, all neighbours by brute force: delta is at most bound(x, x', N, e^eps)."""
    seen, most_of = cache(lambda data: reports(table, data)), cache(bound)
    cases = [
        (x, y, exp_eps)
        for users in range(1, most + 1)
        for x, y in neighbours(range(len(table)), users)
        for exp_eps in RATIOS
    ]

    def sides(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> tuple[Fraction, Fraction]:
        x, y, exp_eps = case
        a, b = next((a, b) for a, b in zip(x, y, strict=True) if a != b)
        return stick(seen(x), seen(y), exp_eps), most_of(a, b, len(x), exp_eps)

    return exhaustive(
        says,
        lambda case: sides(case)[0] <= sides(case)[1],
        cases,
        lambda case: "data {}, changed to {}, e^eps = {}: delta is {}, the bound {}".format(*case, *sides(case)),
    )


def least(table: Sequence[Sequence[Fraction]], more: int = 0, times: Fraction = Fraction(1)) -> Bound:
    """The bound whose letters are the messages, with their least masses times so much, for so many more users."""
    weights = [times * min(column) for column in zip(*table, strict=True)]

    def bound(x: int, other: int, users: int, exp_eps: Fraction) -> Fraction:
        return amplified(list(zip(table[x], table[other], weights, strict=True)), users + more, exp_eps)

    return bound


STATEMENT = Statement(
    where="not in the paper: amplification by shuffling",
    kind="theorem",
    printed=(
        "Let finitely many letters l have weights w_l >= 0 and messages of laws K_l, such that every user's law R(z) is at least the sum of the w_l K_l. "
        "If R(x) is at most e^eps R(x') plus the sum of the w_l c_l K_l plus an extra delta, for all tests with values in [0, 1], then the shuffled messages "
        "of N users, one of whom changes from x to x', are (eps, delta)-close with delta = E[(W_1 + ... + W_N)_+]/N plus the extra delta, where the W_i are "
        "independent, c_l with probability w_l and 0 with the rest."
    ),
    hypotheses=(
        "R(z) is any law on lists of messages, with countably many outcomes, for each of the inputs z; c_l is any real number",
        "K_l is a law, or g P - h Q for two laws P and Q with g - h = 1 that is not negative",
    ),
    steps=(kernel("amplification-by-shuffling"),),
    also=(
        private_with("three values, up to 3 users: delta is at most the bound", THREE, 3, least(THREE)),
        private_with(
            "three messages for two inputs, up to 4 users: delta is at most the bound", LEANING, 4, least(LEANING)
        ),
    ),
    twins=(
        private_with("three values: with N + 1 in place of N", THREE, 3, least(THREE, more=1)),
        private_with(
            "three values: with weights that are 1.1 times a common part",
            THREE,
            3,
            least(THREE, times=Fraction(11, 10)),
        ),
    ),
)
