"""Theorem ut-upper-bound-prelim: lambda in N."""

from __future__ import annotations

from proofs.statement import Repair, Statement, Step
from proofs.steps import computed, smt
from symbolic.answer import Answer, Status


def whole(eps: str, delta: str, k: int) -> Answer:
    """Whether 40 c^2 ln(2k/delta) is a whole number."""
    from exact.grammar import parse

    ball = parse(f"40*((exp({eps})+1)/(exp({eps})-1))^2*log(2*{k}/({delta}))").ball(128)
    text = f"eps = {eps}, delta = {delta}, k = {k}: lambda would be {float(ball.mid()):.4f}"
    if ball.contains_integer():
        return Answer(Status.UNDECIDED, "ball computation")
    return Answer(Status.REFUTED, "ball computation", text)


def at(says: str, eps: str, delta: str, k: int) -> Step:
    """The claim at one point."""
    return computed(says, lambda: whole(eps, delta, k), "ball")


STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, proof of privacy: 'let lambda = 40 c^2 ln(2k/delta)', with lambda in N, and Bin(gamma lambda/2, 1/2)",
    kind="step",
    printed="lambda = 40 ((e^eps+1)/(e^eps-1))^2 ln(2k/delta) is in N.",
    steps=(at("eps = 1, delta = 10^-6, k = 100", "1", "1/1000000", 100),),
    why="The number is irrational in general, and so is the number gamma lambda/2 of coins.",
    repair=Repair(
        "lambda is that number rounded up, or any larger real; the number of noise messages is at least gamma lambda/2 rounded up.",
        (
            smt(
                "r >= x",
                ("r >= x", "r < x + 1"),
                says="rounding up keeps lambda >= 40 c^2 ln(2k/delta)",
                r="integer [1, inf)",
                x="(0, inf)",
            ),
        ),
    ),
    survives="Privacy holds for every larger lambda (uniformity-privacy).",
    twins=(
        at("eps = 1/2, delta = 10^-3, k = 2", "1/2", "1/1000", 2),
        smt("r > x", ("r >= x", "r < x + 1"), says="strictly", r="integer [1, inf)", x="(0, inf)"),
    ),
)
