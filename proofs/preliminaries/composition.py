"""Fact comp: privacy composes."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, independent, stick
from proofs.preliminaries.post_processing import LAWS, words
from proofs.statement import Statement, Step
from proofs.steps import exhaustive, kernel

Case = tuple[Law, Law, Law, Law]
PAIRS = [(p, q) for p in LAWS[::2] for q in LAWS[::2]]
CASES: list[Case] = [(*first, *second) for first in PAIRS for second in PAIRS]
THREE_HALVES = Fraction(3, 2)


def adds_up(says: str, exp_eps: Fraction, delta: Fraction) -> Step:
    """The divergence of pairs at `exp_eps` is at most `delta` times the sum of the parts' divergences at 3/2."""

    def holds(case: Case) -> bool:
        parts = stick(case[0], case[1], THREE_HALVES) + stick(case[2], case[3], THREE_HALVES)
        return stick(independent(case[0], case[2]), independent(case[1], case[3]), exp_eps) <= delta * parts

    return exhaustive(
        says + ", for pairs of laws on three points in quarters",
        holds,
        CASES,
        lambda case: " against ".join(map(words, case)),
    )


STATEMENT = Statement(
    label="fact:comp",
    where="section 2.1, Fact (composition)",
    kind="fact",
    printed=(
        "If A_1 is (eps_1, delta_1)- and A_2 is (eps_2, delta_2)-differentially private, (A_1, A_2) is "
        "(eps_1 + eps_2, delta_1 + delta_2)-differentially private."
    ),
    hypotheses=("A_1 and A_2 use independent coins", "finite laws in the kernel; countable ones by countable-laws"),
    covers=("fact:comp",),
    steps=(kernel("composition"),),
    twins=(
        adds_up("with e^(eps_1 + eps_2) = 2 in place of 9/4", Fraction(2), Fraction(1)),
        adds_up("with 0.95 (delta_1 + delta_2)", Fraction(9, 4), Fraction(19, 20)),
    ),
)
