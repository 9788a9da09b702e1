"""Lemma de-transformation: accuracy."""

from __future__ import annotations

from itertools import product

from panshuffle.proofs.statement import Constant, Statement, Step
from panshuffle.proofs.steps import exhaustive, kernel, smt

STREAMS = [x for k in (1, 2, 3) for n in (1, 2) for x in product(range(1, k + 1), repeat=n)]


def dummies(says: str, dummy: tuple[int, ...], at_most: int) -> Step:
    """Adding the dummy elements changes D by at most so much."""
    return exhaustive(
        says,
        lambda x: 0 <= len({*x, *dummy}) - len(set(x)) <= at_most,
        STREAMS,
        lambda x: f"x = {x}: D(w) = {len({*x, *dummy})}, D(x) = {len(set(x))}",
    )


STATEMENT = Statement(
    label="lem:de-transformation",
    where="section 3.2, Lemma de-transformation, accuracy",
    kind="lemma",
    printed="If P solves the (alpha, beta)-distinct elements problem on length n, Q_P solves the (alpha+1, beta)-problem on length n/3.",
    hypotheses=("n is a multiple of 3, as the paper says",),
    steps=(kernel("paper-lem-de-transformation"),),
    constants=(Constant("1", slack="not tight: 1/2 suffices if the output is moved by 1/2"),),
    twins=(
        dummies("many copies of one element do not change D", (1, 1, 1, 1), 0),
        dummies("copies of two elements change D by at most 1", (1, 4, 1, 4), 1),
        smt(
            "z - d <= a",
            ("-a <= z - w", "z - w <= a", "0 <= w - d", "w - d <= 1"),
            says="with alpha",
            z="(-inf, inf)",
            d="[0, inf)",
            w="[0, inf)",
            a="[0, inf)",
        ),
    ),
)
