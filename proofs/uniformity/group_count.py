"""Theorem ut-app-upper-bound: the number of groups."""

from __future__ import annotations

from proofs.statement import Repair, Statement, Step
from proofs.steps import computed, smt
from symbolic.answer import Answer, Status


def whole(k: int, ratio: str) -> Answer:
    """Whether k^(2/3) (eps/alpha)^(4/3) is a whole number or outside of [2, k], eps/alpha being the ratio."""
    from exact.grammar import parse

    value = parse(f"({k})^(2/3)*({ratio})^(4/3)")
    ball = value.ball(128)
    if ball < 2 or ball > k:
        return Answer(Status.PROVED, "ball computation")
    if ball.contains_integer():
        return Answer(Status.UNDECIDED, "ball computation")
    return Answer(
        Status.REFUTED,
        "ball computation",
        f"k = {k}, eps/alpha = {ratio}: the number of groups would be {float(ball.mid()):.4f}",
    )


def at(says: str, k: int, ratio: str) -> Step:
    """The claim at one k and eps/alpha."""
    return computed(says, lambda: whole(k, ratio), "ball")


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, the rule for k^ in the proof of Theorem ut-app-upper-bound",
    kind="display",
    printed="k^ = 2 if x < 2, k if x > k, x otherwise, with x = k^(2/3) eps^(4/3)/alpha^(4/3), is a number of groups.",
    covers=("display-31",),
    steps=(
        at("k = 100, eps/alpha = 1", 100, "1"),
        smt(
            "K <= k",
            ("K = 2",),
            says="k^ <= k, which is used two lines below, where x < 2",
            K="[2, 2]",
            k="integer [1, inf)",
        ),
    ),
    why="x is not a whole number in general, it need not divide k, and for k = 1 the rule asks for two groups of one element.",
    repair=Repair(
        "k >= 2 and x rounded up: the bounds change by at most a factor 2^(1/2), since x >= 2 gives x <= k^ <= 1.5x; k is padded to a multiple of k^.",
        (
            smt(
                "x <= c <= 1.5*x",
                ("x <= c", "c < x + 1", "x >= 2"),
                says="x rounded up is at most 1.5x",
                x="[2, inf)",
                c="integer [2, inf)",
            ),
            smt(
                "c*q <= 2*k",
                ("c*(q - 1) < k", "c <= k", "q >= 1"),
                says="the multiple of k^ is at most 2k",
                c="integer [2, inf)",
                q="integer [1, inf)",
                k="integer [2, inf)",
            ),
        ),
    ),
    survives="The sample complexity survives, with other constants.",
    twins=(
        at("k = 64, eps/alpha = 3/2", 64, "3/2"),
        smt("c <= 1.49*x", ("x <= c", "c < x + 1", "x >= 2"), says="at most 1.49x", x="[2, inf)", c="integer [2, inf)"),
    ),
)
