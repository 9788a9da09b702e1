"""Lemma bbgn_close."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, stick
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

LAWS: list[Law] = [{0: Fraction(x, 12), 1: 1 - Fraction(x, 12)} for x in range(13)]
CASES = [(p, q, r, s) for p in LAWS for q in LAWS for r in LAWS for s in LAWS]


def close(says: str, factor: Fraction) -> Step:
    """If P, Q are 2-close both ways and R, S are near them, R has delta at most factor times the distance from S."""
    two, one = Fraction(2), Fraction(1)

    def holds(case: tuple[Law, Law, Law, Law]) -> bool:
        p, q, r, s = case
        if stick(p, q, two) or stick(q, p, two):
            return True
        distance = max(stick(p, r, one), stick(q, s, one))
        return stick(r, s, two) <= factor * distance

    return exhaustive(says, holds, CASES, lambda case: " / ".join(str(law[0]) for law in case))


STATEMENT = Statement(
    label="lem:bbgn_close",
    where="section 3.1, Lemma bbgn_close",
    kind="lemma",
    printed="If for every u the total variation of M(u) and M'(u) is at most Delta and M is eps-differentially private, M' is (eps, (e^eps+1) Delta)-differentially private.",
    covers=("lem:bbgn_close",),
    steps=(kernel("paper-lem-bbgn-close"),),
    constants=(
        Constant(
            "3",
            twin="for bits in twelfths at e^eps = 2, with 2.9 Delta in place of 3 Delta",
            by="2.9",
        ),
    ),
    also=(kernel("total-variation-privacy"),),
    twins=(
        close("for bits in twelfths at e^eps = 2, with 2.9 Delta in place of 3 Delta", Fraction(29, 10)),
        close("with e^eps Delta in place of (e^eps + 1) Delta", Fraction(2)),
    ),
)
