"""The variation-ratio bound of shuffle accountants, for randomized response with three values."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.beyond.amplification_by_shuffling import THREE, reports
from panshuffle.proofs.finite import Law, binomial, law_of, neighbours, stick
from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel

RATIO = Fraction(7, 4)
SWAPPED = ((1, 0), (0, 1))
"""Both directions."""


def code_pair(users: int, p: Fraction, beta: Fraction, own: int) -> Law:
    """The counts (A + D1, C - A + D2), C ~ Bin(n-1, 2r) and A ~ Bin(C, 1/2), with alpha = beta/(p-1) and r = alpha."""
    alpha = beta / (p - 1)
    first, second = (p * alpha, alpha) if own else (alpha, p * alpha)
    changed = {(1, 0): first, (0, 1): second, (0, 0): 1 - alpha - p * alpha}
    return law_of(
        ((a + d1, c - a + d2), often * half * mass)
        for c, often in enumerate(binomial(users - 1, 2 * alpha).values())
        for a, half in enumerate(binomial(c, Fraction(1, 2)).values())
        for (d1, d2), mass in changed.items()
    )


def pair_within(says: str, delta: Fraction) -> Step:
    """The code's pair has at most this delta at e^eps = 7/4, in both directions."""

    def found(own: tuple[int, int]) -> Fraction:
        upper, lower = (code_pair(2, Fraction(2), Fraction(1, 4), side) for side in own)
        return stick(upper, lower, RATIO)

    return exhaustive(says, lambda own: found(own) <= delta, SWAPPED, lambda own: f"delta is {found(own)}", whole=True)


def reports_within(says: str, delta: Fraction) -> Step:
    """The shuffled reports of two users have at most this delta at e^eps = 7/4, for all neighbours."""

    def found(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> Fraction:
        return stick(reports(THREE, pair[0]), reports(THREE, pair[1]), RATIO)

    return exhaustive(
        says,
        lambda pair: found(pair) <= delta,
        neighbours(range(3), 2),
        lambda pair: f"data {pair[0]}, changed to {pair[1]}: delta is {found(pair)}",
        whole=True,
    )


STATEMENT = Statement(
    where="not in the paper: the variation-ratio bound (Wang and others 2024), as their public code computes it",
    kind="theorem",
    printed=(
        "The variation-ratio bound is none.  It says: if R is eps0-locally private, p = e^eps0, and beta is the largest total variation of two laws R(x) and R(x'), "
        "then the shuffled messages of n users are (eps, delta)-private as soon as the laws of (A + D1, C - A + D2) and of (A + D2, C - A + D1) are (eps, delta)-close, "
        "both ways, where alpha = beta/(p-1), C ~ Bin(n-1, 2 alpha), A ~ Bin(C, 1/2), and (D1, D2) is (1, 0) with probability p alpha, (0, 1) with alpha and (0, 0) with "
        "the rest.  Against it: report the own one of three values with probability 1/2 and each of the others with 1/4, so that p = 2 and beta = 1/4; n = 2; "
        "e^eps = 7/4.  The least delta of the pair is 1/64, both ways, and that of the shuffled reports is 1/32."
    ),
    hypotheses=("the code is called with q = p, as its table says for randomized response, so that its r is alpha",),
    steps=(
        kernel("variation-ratio-refuted"),
        kernel("variation-ratio-pair"),
        kernel("three-response"),
        kernel("three-response-parameters"),
    ),
    also=(
        pair_within("the pair has delta at most 1/64", Fraction(1, 64)),
        reports_within("the shuffled reports have delta at most 1/32", Fraction(1, 32)),
    ),
    constants=(
        Constant("1/64", twin="the pair has delta at most 0.0155", by="0.0155"),
        Constant("1/32", twin="the shuffled reports have delta at most 0.031", by="0.031"),
    ),
    twins=(
        pair_within("the pair has delta at most 0.0155", Fraction("0.0155")),
        reports_within("the shuffled reports have delta at most 0.031", Fraction("0.031")),
        reports_within("the shuffled reports have the pair's delta, 1/64", Fraction(1, 64)),
    ),
)
