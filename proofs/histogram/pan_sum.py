"""Theorem zerocount-pan: Q_ZSUM is pan-private."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.finite import Law, binomial, image, independent, neighbours, stick
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, smt

Stream = tuple[int, ...]
Case = tuple[int, Stream, Stream, int, Fraction]
HALF = Fraction(1, 2)


def view(stream: Stream, t: int, lam: int, last: int) -> Law:
    """The law of (I_t, output) with Bin(lam, 1/2) before the stream and Bin(last, 1/2) after it."""
    before, after = sum(stream[:t]), sum(stream[t:])
    return image(
        independent(binomial(lam, HALF), binomial(last, HALF)),
        lambda draws: (before + draws[0], before + draws[0] + after + draws[1]),
    )


def shift(lam: int, exp_eps: Fraction) -> Fraction:
    """The divergence of Bin(lam, 1/2) from 1 + Bin(lam, 1/2); by symmetry also the other way round."""
    return stick(binomial(lam, HALF), image(binomial(lam, HALF), lambda x: x + 1), exp_eps)


CASES: list[Case] = [
    (lam, x, y, t, Fraction(e, 2))
    for lam in (1, 2, 4)
    for x, y in neighbours((0, 1), 2)
    for t in range(3)
    for e in (2, 3, 5)
]


def same_as_one_shift(says: str, fewer: int = 0, wider: Fraction = Fraction(1)) -> Step:
    """The joint view is as private as one shift of Bin(lam, 1/2), at `wider` times the same e^eps."""

    def holds(case: Case) -> bool:
        lam, x, y, t, exp_eps = case
        return stick(view(x, t, lam, lam - fewer), view(y, t, lam, lam - fewer), exp_eps) == shift(lam, wider * exp_eps)

    return exhaustive(
        says,
        holds,
        CASES,
        lambda case: f"lam = {case[0]}, streams {case[1]} and {case[2]}, t = {case[3]}, e^eps = {case[4]}",
    )


STATEMENT = Statement(
    label="theorem:zerocount-pan",
    where="section 5, Theorem zerocount-pan, privacy",
    kind="theorem",
    printed="Given eps > 0, delta in (0,1) and lambda >= 20 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), Q_ZSUM is (eps, delta)-pan-private.",
    hypotheses=("lambda in N",),
    covers=("theorem:zerocount-pan",),
    steps=(kernel("paper-thm-zerocount-pan"),),
    constants=(
        Constant(
            "20",
            slack="not tight: 2.06 c^2 ln(2/delta) coins are enough, since 1.03 suffices in place of 10 (binomial-mechanism-constant)",
        ),
    ),
    twins=(
        same_as_one_shift("the view is worth one shift also with one coin fewer after the stream", fewer=1),
        same_as_one_shift("the view is worth one shift read at 1.04 e^eps", wider=Fraction(26, 25)),
        smt("lam/2 >= 10*c2*L", ("lam >= 19*c2*L",), says="with 19", lam="[1, inf)", c2="[1, inf)", L="(0, inf)"),
    ),
    rests_on=("binomial-mechanism-constant",),
)
