"""Lemma ut-transformation: accuracy."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, smt

ALPHA = Fraction(1, 9) - Fraction(1, 10**9)


def mixed(n: int, cap: int) -> list[Fraction]:
    """The law of the number of ones when min(Bin(n, 2/9), cap) samples are 1 and the others fair bits."""
    law = [Fraction(0)] * (n + 1)
    for drawn in range(n + 1):
        weight = Fraction(comb(n, drawn) * 2**drawn * 7 ** (n - drawn), 9**n)
        ones = min(drawn, cap)
        for x in range(n - ones + 1):
            law[ones + x] += weight * Fraction(comb(n - ones, x), 2 ** (n - ones))
    return law


def accepting(law: list[Fraction], test: list[Fraction]) -> Fraction:
    """The probability of 'uniform'."""
    return sum((p * a for p, a in zip(law, test, strict=True)), Fraction(0))


def samples(n: int, one: Fraction) -> list[Fraction]:
    """The law of the number of ones among n samples that are 1 with this probability."""
    return [comb(n, x) * one**x * (1 - one) ** (n - x) for x in range(n + 1)]


def calibrated(n: int) -> list[Fraction]:
    """The test for k = 2 that says 'uniform' near n/2, with probability exactly 1/3 at total variation alpha.

    It is an alpha-uniformity tester: further from uniform it says 'uniform' more rarely, and on U it errs with at most
    1/3, which `is_tester` checks.
    """
    law, test, left = samples(n, Fraction(1, 2) + ALPHA), [Fraction(0)] * (n + 1), Fraction(1, 3)
    for distance in range(n % 2, n + 1, 2):
        pair = {(n - distance) // 2, (n + distance) // 2}
        mass = sum((law[x] for x in pair), Fraction(0))
        for x in pair:
            test[x] = min(Fraction(1), left / mass)
        left -= min(mass, left)
    return test


def is_tester(n: int) -> bool:
    """Whether the calibrated test errs with at most 1/3 on U and at alpha, on either side."""
    test, third = calibrated(n), Fraction(1, 3)
    sides = [accepting(samples(n, Fraction(1, 2) + side * ALPHA), test) for side in (1, -1)]
    return accepting(samples(n, Fraction(1, 2)), test) >= 2 * third and all(side <= third for side in sides)


def errs(says: str, cases: list[int], limit: Fraction) -> Step:
    """Q_P errs with at most this probability on the stream of ones, P being the calibrated test, R the identity."""

    def error(n: int) -> Fraction:
        return accepting(mixed(n, n // 3), calibrated(n))

    return exhaustive(
        says,
        lambda n: is_tester(n) and error(n) <= limit,
        cases,
        lambda n: (
            f"k = 2, n = {n}, alpha = 1/9 - 10^-9, D = (1, 0), at total variation 1/2 > 9 alpha/2: P is a tester, and Q_P says 'uniform' "
            f"with probability 1/3 + {float(error(n) - Fraction(1, 3)):.1e}"
        ),
    )


STATEMENT = Statement(
    label="lemma:ut-transformation",
    where="section 4.2, Lemma ut-transformation, accuracy",
    kind="lemma",
    printed="If P is an (eps, delta, 1/3)-robustly shuffle private alpha-uniformity tester with sample complexity n, and n is larger than some absolute constant, Q_P solves 9 alpha/2-uniformity testing with sample complexity n/3.",
    reading="n is a multiple of 3, and 'solves' is up to a constant separation, as section 4 says ('we generally focus on achieving any such constant separation') and the proof again: errors of at most 1/3 on uniform and 1/2 on far streams. With 2/3 in both cases Q_P itself may fall short by a little for some P (a twin, with a P that is not private); a constant number of repetitions mends it.",
    steps=(kernel("paper-lemma-ut-transformation"),),
    constants=(Constant("1/2", twin="below 0.49", by="0.49"),),
    twins=(
        errs(
            "an error of at most 1/3 on far streams, for a P that errs with exactly 1/3, n = 150", [150], Fraction(1, 3)
        ),
        smt("p + x < 0.49", ("p <= 1/3", "x < 1/6"), says="below 0.49", p="[0, 1]", x="[0, 1]"),
    ),
)
