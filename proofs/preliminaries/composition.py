"""Fact comp: privacy composes."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, independent, stick
from panshuffle.proofs.preliminaries.post_processing import LAWS, words
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, kernel_refutation

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
    printed="For (eps_1, delta_1)-differentially private A_1 and (eps_2, delta_2)-differentially private A_2, A_3(D) = (A_1(D), A_2(D)) is "
    "(eps_1 + eps_2, delta_1 + delta_2)-differentially private.",
    reading="A_1 and A_2 use independent coins, as two algorithms do: with a shared coin r, A_1 = x xor r and A_2 = r are each private at eps = 0 and together tell x (a twin below).",
    covers=("fact:comp",),
    steps=(kernel("paper-fact-comp"),),
    constants=(
        Constant("1", twin="with 0.95 (delta_1 + delta_2), for pairs of laws on three points in quarters", by="0.95"),
        Constant(
            "9/4",
            twin="with e^(eps_1 + eps_2) = 2.2 in place of 9/4, for pairs of laws on three points in quarters",
            by="2.2",
        ),
    ),
    twins=(
        kernel_refutation(
            "paper-fact-comp-shared-coins",
            "with a shared coin r, A_1 = x xor r and A_2 = r are each private at eps = 0 and together tell x",
        ),
        adds_up("with e^(eps_1 + eps_2) = 2.2 in place of 9/4", Fraction(11, 5), Fraction(1)),
        adds_up("with 0.95 (delta_1 + delta_2)", Fraction(9, 4), Fraction(19, 20)),
    ),
    referee="One may object that the fact is false as printed, for algorithms that share their coins; but nobody reads 'A_1 and A_2' so, and section 3 and 4 use it for independent pools.",
)
