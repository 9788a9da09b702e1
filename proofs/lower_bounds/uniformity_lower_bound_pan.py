"""Lemma ut-lower-bound-pan."""

from __future__ import annotations

from fractions import Fraction

from proofs.statement import Repair, Statement, Step
from proofs.steps import exhaustive


def needed(says: str, domain: list[int], bound: Fraction = Fraction(0)) -> Step:
    """A tester that needs no sample exists only where the claimed number of samples is at most `bound`.

    With k = 1 every distribution is uniform, so 'uniform' is always right; the claimed number is at least 1/alpha^2.
    With k >= 2 the point mass is at total variation 1 - 1/k > alpha from uniform, and no constant answer is right.
    """
    alpha = Fraction(1, 4)

    def trivial(k: int) -> bool:
        return 1 - Fraction(1, k) <= alpha

    return exhaustive(
        says,
        lambda k: not trivial(k) or 1 / alpha**2 <= bound,
        domain,
        lambda k: (
            f"k = {k}, alpha = 1/4: there is no D far from uniform, so 'uniform' without samples is a tester; claimed are at least c/alpha^2"
        ),
    )


STATEMENT = Statement(
    label="lem:ut-lower-bound-pan",
    where="section 4.2, Lemma ut-lower-bound-pan",
    kind="lemma",
    printed="For eps = O(1) and alpha < 1/2, any eps-pan-private alpha-uniformity tester has sample complexity Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps)).",
    covers=("lem:ut-lower-bound-pan", "display-39"),
    steps=(needed("samples are needed, for k in {1, 2, 3}", [1, 2, 3]),),
    why="For k = 1 there is only the uniform distribution.",
    repair=Repair(
        "For k >= 2, as cited.",
        (needed("samples are needed, for k in {2, 3}", [2, 3]),),
        ("uniformity-lower-bound-cited",),
    ),
    survives="Everything above it is meant for large k.",
    twins=(needed("for k = 1 alone", [1]), needed("for k = 1, with the bound 15 in place of 16", [1], Fraction(15))),
)
