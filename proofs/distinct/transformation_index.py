"""Lemma de-transformation, proof of privacy: the inputs after the intrusion."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import identity, kernel, kernel_refutation

STATEMENT = Statement(
    label="lem:de-transformation",
    where="section 3.2, proof of Lemma de-transformation, privacy: '(x_{t+1}, ..., x_n, 1, ..., 1)'",
    kind="step",
    printed="(x_{t+1}, ..., x_n, 1, ..., 1) with n/3 ones are the 2n/3 - t inputs after time t: (n - t) + n/3 = 2n/3 - t.",
    steps=(kernel_refutation("transformation-index-refuted", "n = 3, t = 0: 4 inputs, not 2"),),
    severity="convention",
    why="The stream has n/3 elements, not n; the same in the line for x'.",
    repair=Repair(
        "(x_{t+1}, ..., x_{n/3}, 1, ..., 1).",
        (kernel("transformation-index"),),
    ),
    survives="A misprint: the lemma is not touched.",
    twins=(
        identity("(n/3 - t) + n/3 = 2*n/3 - t + 1", says="with one more", n="[3, inf)", t="[0, inf)"),
        identity("(n/2 - t) + n/3 = 2*n/3 - t", says="with n/2 elements", n="[3, inf)", t="[0, inf)"),
    ),
)
