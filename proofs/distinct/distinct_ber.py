"""Lemma distinct-ber: the parity of independent bits, and the displays of its proof."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, induction, kernel

CASES = [(n, Fraction(p, 6)) for n in range(1, 6) for p in range(7)]


def parity(says: str, shift: int = 0, half: Fraction = Fraction(1, 2)) -> Step:
    """P[X = 1] = (1 - (1-2p')^N)/2 for the sum X mod 2 of N bits, by going through all of them."""

    def holds(case: tuple[int, Fraction]) -> bool:
        n, p = case
        one = Fraction(0)
        for bits in product((0, 1), repeat=n):
            mass = Fraction(1)
            for bit in bits:
                mass *= p if bit else 1 - p
            one += mass if sum(bits) % 2 else 0
        return one == half * (1 - (1 - 2 * p) ** (n + shift))

    return exhaustive(says, holds, CASES, lambda case: f"N = {case[0]}, p' = {case[1]}")


STATEMENT = Statement(
    label="lem:distinct-ber",
    where="section 3.1, Lemma distinct-ber, restated and proved in Appendix A.1",
    kind="lemma",
    printed="For p' = (1 - (1-2p)^(1/n))/2, the sum mod 2 of gamma n independent Ber(p') is Ber((1 - (1-2p)^gamma)/2).",
    hypotheses=("n in N, gamma in (0,1], p in [0,1/2]", "gamma n is a whole number, as section 2.3 assumes"),
    covers=("lem:distinct-ber", "display-9", "lemma-12", "display-41"),
    steps=(kernel("paper-lem-distinct-ber"),),
    also=(
        kernel("distinct-ber"),
        induction(
            "(1 - (1 - 2*p)^n)/2",
            first="p",
            step="previous*(1 - p) + (1 - previous)*p",
            start=1,
            says="P[X = 1] bit by bit, for p' below 1/2",
            p="[0, 1/2)",
        ),
        identity(
            "(1 - 2*((1 - (1 - 2*p)^(1/n))/2))^(g*n) = (1 - 2*p)^g",
            says="(1 - 2p')^(gamma n) = (1 - 2p)^gamma, for p below 1/2",
            p="[0, 1/2)",
            n="[1, inf)",
            g="(0, 1]",
        ),
        parity("all bits of up to 5 users, p' = 1/2 included"),
    ),
    constants=(Constant("1", twin="with 1.02 gamma", by="1.02"),),
    twins=(
        parity("with one user more in the exponent", 1),
        parity("with one user fewer in the exponent", -1),
        identity(
            "(1 - 2*((1 - (1 - 2*p)^(1/n))/2))^(g*n) = (1 - 2*p)^(1.02*g)",
            says="with 1.02 gamma",
            p="[0, 1/2)",
            n="[1, inf)",
            g="(0, 1]",
        ),
    ),
)
