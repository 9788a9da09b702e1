"""Theorem ut-app-upper-bound, correctness: 'if D = U, then D_G = U'."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from panshuffle.proofs.statement import Repair, Statement, Step
from panshuffle.proofs.steps import exhaustive, identity, inequality


def uniform_after(says: str, cases: list[tuple[int, int]], equal: bool) -> Step:
    """D_G is uniform for every partition of [k] into so many groups (of equal size)."""

    def partitions(k: int, groups: int) -> list[tuple[int, ...]]:
        found = [g for g in product(range(groups), repeat=k) if len(set(g)) == groups]
        return [g for g in found if all(g.count(i) * groups == k for i in range(groups))] if equal else found

    def holds(case: tuple[int, int]) -> bool:
        k, groups = case
        return bool(partitions(k, groups)) and all(
            all(Fraction(g.count(i), k) == Fraction(1, groups) for i in range(groups)) for g in partitions(k, groups)
        )

    return exhaustive(says, holds, cases, lambda case: f"k = {case[0]} elements in {case[1]} groups")


def near_equal(says: str, sizes: tuple[int, ...]) -> Step:
    """D_G is uniform for groups of these sizes when D is."""
    k, groups = sum(sizes), len(sizes)
    distance = sum((abs(Fraction(size, k) - Fraction(1, groups)) for size in sizes), Fraction(0)) / 2
    return exhaustive(
        says,
        lambda sizes: distance == 0,
        [sizes],
        lambda sizes: (
            f"k = {k} in groups of {', '.join(map(str, sizes))}: D_G is at total variation {distance} from uniform"
        ),
        whole=True,
    )


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, proof of Theorem ut-app-upper-bound, Correctness",
    kind="step",
    printed="If D = U, then D_G = U, for the uniformly random partition G of [k] into k^ groups.",
    reading="The groups have sizes as equal as can be. (With sizes left to chance it fails even where k^ divides k: a twin.)",
    severity="false",
    steps=(
        near_equal("for k = 3 in groups of 2 and 1", (2, 1)),
        inequality(
            "sqrt(2)/(477*sqrt(30)) < 1/6",
            says="and alpha^ = alpha sqrt(2)/(477 sqrt(30)), the distance that the tester on two groups of [3] must notice, is far below the 1/6 that it meets on U",
        ),
    ),
    why="A group's mass is its size over k; it is 1/k^ only if all groups have the same size, so k^ must divide k, and the k^ of the proof does not in general. The distance that is left on U is far above alpha^, so the final tester, which must notice alpha^, rejects U.",
    repair=Repair(
        "For groups of equal size, k^ dividing k; otherwise [k] is padded to the next multiple of k^ and each sample is, with the right "
        "probability, replaced by a uniform padding element.",
        (
            identity("s*(1/(h*s)) = 1/h", says="h groups of s elements: each has mass 1/h", s="[1, inf)", h="[1, inf)"),
            identity(
                "(k/K)*(1/k) = 1/K",
                says="padding: with probability k/K the sample is kept, and U on [k] becomes U on [K], K the multiple",
                k="[1, inf)",
                K="[1, inf)",
            ),
            identity(
                "(k/K)*(p - 1/k) = (k/K)*p - 1/K",
                says="and what is left of D's distance is the fraction k/K",
                k="[1, inf)",
                K="[1, inf)",
                p="[0, 1]",
            ),
        ),
        argument=(
            "Under U on [K] a group of s of the K = hs elements has mass s/K = 1/h. If k^ does not divide k, let K be the next multiple and let every user, with coins of their own, keep the sample with probability k/K and else replace it by a uniform one of the K - k new elements. U becomes U: an old element has mass "
            "(k/K)(1/k), a new one ((K-k)/K)/(K-k). For other D the masses of old elements are (k/K) p, so the total variation from U is k/K times what it was. The replacement is made before R_UT, so privacy does not suffer."
        ),
    ),
    survives="The final tester as printed does not survive where k^ does not divide k: on U it is handed a D_G at a distance that it must reject. It does with equal groups and padding.",
    above=("compressed-tester",),
    twins=(
        uniform_after("any groups for k = 4 in two", [(4, 2)], False),
        identity("s*(1/(h*s)) = 1.01/h", says="the repair with mass 1.01/h", s="[1, inf)", h="[1, inf)"),
    ),
)
