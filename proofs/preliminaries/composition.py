"""Fact comp: privacy composes."""

from __future__ import annotations

from fractions import Fraction

from proofs.finite import Law, independent, law_of, stick
from proofs.preliminaries.post_processing import LAWS, words
from proofs.statement import Constant, Statement, Step
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


def shared_coin(says: str, exp_eps: Fraction) -> Step:
    """A_1 = x xor r and A_2 = r with one coin r: each is private at eps = 0, the pair tells the bit x."""
    coin = (Fraction(1, 2), Fraction(1, 2))

    def pair(x: int) -> Law:
        return {(x ^ r, r): coin[r] for r in (0, 1)}

    def part(x: int, place: int) -> Law:
        return law_of(((outcome[place], mass) for outcome, mass in pair(x).items() if isinstance(outcome, tuple)))

    def holds(_: int) -> bool:
        alone = all(stick(part(0, place), part(1, place), Fraction(1)) == 0 for place in (0, 1))
        return not alone or stick(pair(0), pair(1), exp_eps) == 0

    return exhaustive(
        says,
        holds,
        [0],
        lambda _: (
            f"A_1 = x xor r, A_2 = r: each has delta = 0 at eps = 0, the pair has delta = {stick(pair(0), pair(1), exp_eps)}"
        ),
        whole=True,
    )


STATEMENT = Statement(
    label="fact:comp",
    where="section 2.1, Fact (composition)",
    kind="fact",
    printed=(
        "For (eps_1, delta_1)-differentially private A_1 and (eps_2, delta_2)-differentially private A_2, A_3(D) = (A_1(D), A_2(D)) is "
        "(eps_1 + eps_2, delta_1 + delta_2)-differentially private."
    ),
    reading=(
        "A_1 and A_2 use independent coins, as two algorithms do: with a shared coin r, A_1 = x xor r and A_2 = r are each private at eps = 0 and together tell x (a twin below)."
    ),
    covers=("fact:comp",),
    steps=(kernel("composition"),),
    argument=(
        "The kernel's theorem is for finite laws. For any others: let T be a set of pairs and T_a = {b : (a, b) in T}. With independent coins, P[A_3(D) in T] is the mean of "
        "P[A_2(D) in T_a] over a ~ A_1(D), at most delta_2 plus the mean of g(a) = min(1, e^eps_2 P[A_2(D') in T_a]), because P[A_2(D) in T_a] is at most 1 and at most "
        "e^eps_2 P[A_2(D') in T_a] + delta_2. g has values in [0, 1], so its mean over A_1(D) is at most e^eps_1 times its mean over A_1(D'), plus delta_1 (the integral over s of "
        "P[g > s], as for post-processing); and that mean is at most e^eps_2 P[A_3(D') in T]."
    ),
    rests_on=("post-processing",),
    constants=(
        Constant("1", twin="with 0.95 (delta_1 + delta_2), for pairs of laws on three points in quarters", by="0.95"),
        Constant(
            "9/4",
            twin="with e^(eps_1 + eps_2) = 2.2 in place of 9/4, for pairs of laws on three points in quarters",
            by="2.2",
        ),
    ),
    twins=(
        shared_coin("with coins that A_1 and A_2 share", Fraction(1000)),
        adds_up("with e^(eps_1 + eps_2) = 2.2 in place of 9/4", Fraction(11, 5), Fraction(1)),
        adds_up("with 0.95 (delta_1 + delta_2)", Fraction(9, 4), Fraction(19, 20)),
    ),
    referee="One may object that the fact is false as printed, for algorithms that share their coins; but nobody reads 'A_1 and A_2' so, and section 3 and 4 use it for independent pools.",
)
