"""Every locally private randomizer, shuffled: the clones."""

from __future__ import annotations

from fractions import Fraction

from panshuffle.proofs.beyond.amplification_by_shuffling import THREE, Bound, amplified, private_with
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import kernel

BINARY = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]


def clones(p: Fraction, weight: Fraction, more: int = 0) -> Bound:
    """The bound for e^eps0 = p, with two letters of this weight, for so many more users."""
    often, seldom = p / (p + 1), 1 / (p + 1)
    letters = [(often, seldom, weight), (seldom, often, weight)]
    return lambda _x, _other, users, exp_eps: amplified(letters, users + more, exp_eps)


STATEMENT = Statement(
    where="not in the paper: clones (Feldman, McMillan and Talwar 2021)",
    kind="theorem",
    printed=(
        "Let R be eps0-locally private, with any number of messages, and p = e^eps0.  The shuffled messages of N users are (eps, delta)-private with "
        "delta = E[(W_1 + ... + W_N)_+]/N, where the W_i are independent, 2p(p - e^eps)/(p+1) and 2p(1 - p e^eps)/(p+1) with probability 1/(2p) each, and 0 "
        "with the rest.  They are (eps, delta)-private, too, if the laws of (A + D, C - A + 1 - D) and of (A + 1 - D, C - A + D) are (eps, delta)-close, where "
        "C ~ Bin(N-1, 1/p), A ~ Bin(C, 1/2), and D ~ Ber(p/(p+1)) is independent of them."
    ),
    hypotheses=(
        "eps0 > 0; the law R(z) is (eps0, 0)-close to R(z') for all inputs z and z', and has countably many outcomes",
        "all users have the same R, which does not depend on the messages of others",
    ),
    steps=(kernel("clones"), kernel("clones-as-counts")),
    also=(
        private_with(
            "three values with e^eps0 = 2, up to 3 users: delta is at most the bound",
            THREE,
            3,
            clones(Fraction(2), Fraction(1, 4)),
        ),
        private_with(
            "binary response with e^eps0 = 3, up to 4 users: delta is at most the bound",
            BINARY,
            4,
            clones(Fraction(3), Fraction(1, 6)),
        ),
    ),
    twins=(
        private_with(
            "binary response with e^eps0 = 3: with N + 1 in place of N",
            BINARY,
            3,
            clones(Fraction(3), Fraction(1, 6), 1),
        ),
        private_with(
            "binary response with e^eps0 = 3: with probability 1/p in place of 1/(2p)",
            BINARY,
            3,
            clones(Fraction(3), Fraction(1, 3)),
        ),
    ),
)
