"""Lemma distinct-hash: how many distinct elements a hash function loses."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, kernel_refutation

Case = tuple[int, int, tuple[int, ...], Fraction]
BETAS = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)]
CASES: list[Case] = [
    (k, k1, s, beta)
    for k in (1, 2, 3, 4)
    for k1 in range(1, k + 1)
    for size in range(k + 1)
    for s in combinations(range(k), size)
    for beta in BETAS
]


def probability(case: Case, factor: Fraction) -> Fraction:
    """P[|S| - |S'| >= factor |S|^2/(beta k')] over all functions from [k] to [k'], a 2-universal family."""
    k, k1, s, beta = case
    functions = list(product(range(k1), repeat=k))
    bad = sum(len(s) - len({h[x] for x in s}) >= factor * len(s) ** 2 / (beta * k1) for h in functions)
    return Fraction(bad, len(functions))


def lost(says: str, least: int, factor: Fraction = Fraction(1)) -> Step:
    """The lemma for all sets S of at least so many elements."""
    return exhaustive(
        says + ", for all functions from [k] to [k'], k <= 4, beta in {1/10, 1/2, 9/10}",
        lambda case: probability(case, factor) <= case[3],
        [case for case in CASES if len(case[2]) >= least],
        lambda case: (
            f"k = {case[0]}, k' = {case[1]}, S = {set(case[2]) or '{}'}, beta = {case[3]}: probability {probability(case, factor)}"
        ),
    )


STATEMENT = Statement(
    label="lem:distinct-hash",
    where="Appendix A.2, Lemma distinct-hash",
    kind="lemma",
    printed="Let k >= k' in N, let h be sampled uniformly from a 2-universal hash family mapping [k] to [k'], let S be a subset of [k] and S' = h(S). Then for all beta in (0,1): "
    "P[|S| - |S'| >= |S|^2/(beta k')] <= beta.",
    covers=("lem:distinct-hash", "display-45"),
    steps=(
        kernel_refutation(
            "paper-lem-distinct-hash",
            "S = {}: |S| - |S'| = 0 >= 0 = |S|^2/(beta k'), so the probability is 1, above beta",
        ),
    ),
    why="For the empty S both sides of the inequality inside are 0, and P[0 >= 0] = 1: '>=' would have to be '>' there.",
    severity="convention",
    repair=Repair(
        "The lemma for nonempty S.",
        (kernel("paper-lem-distinct-hash-repaired"),),
    ),
    survives="Datasets have n >= 1 rows, so the corollary only needs nonempty S.",
    twins=(
        lost("nonempty S, with |S|^2/(8 beta k')", 1, Fraction(1, 8)),
        lost("nonempty S, with |S|^2/(6 beta k')", 1, Fraction(1, 6)),
    ),
    constants=(Constant("1", slack="|S|^2/(2 beta k') suffices by the same proof; a sixth does not, as a twin says"),),
)
