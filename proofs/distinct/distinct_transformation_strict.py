"""Lemma de-transformation, proof of accuracy: a strict inequality that the definition does not give."""

from __future__ import annotations

from panshuffle.proofs.statement import Repair, Statement
from panshuffle.proofs.steps import kernel, kernel_refutation, smt

STATEMENT = Statement(
    label="lem:de-transformation",
    where="section 3.2, proof of Lemma de-transformation, accuracy",
    kind="step",
    printed="'By the accuracy guarantee of P, P[|P(w) - D(w)| > alpha] < beta', where the definition gives P[|P(w) - D(w)| <= alpha] >= 1 - beta.",
    steps=(
        kernel_refutation(
            "error-strict-refuted", "a fair coin of error 0 or 1 at alpha = 0 and beta = 1/2: P[> alpha] = beta"
        ),
    ),
    severity="convention",
    why="The definition allows equality: an algorithm that errs with probability exactly beta solves the problem.",
    repair=Repair(
        "P[|P(w) - D(w)| > alpha] <= beta, which is all that the lemma needs.",
        (kernel("error-not-strict"),),
    ),
    survives="Lemma de-transformation survives.",
    twins=(
        smt(
            "bad <= 0.99*b",
            ("bad + good = 1", "good >= 1 - b"),
            says="with 0.99 beta",
            bad="[0, 1]",
            good="[0, 1]",
            b="(0, 1)",
        ),
        smt(
            "bad <= b",
            ("bad + good = 1", "good >= 0.98 - b"),
            says="from a success probability of 0.98 - beta",
            bad="[0, 1]",
            good="[0, 1]",
            b="(0, 1)",
        ),
    ),
)
