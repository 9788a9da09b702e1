"""Theorem ut-app-upper-bound: the number of groups."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement, Step
from panshuffle.proofs.steps import computed, inequality, kernel, kernel_refutation, smt
from panshuffle.symbolic.decision import Decision, Status


def whole(k: int, ratio: str) -> Decision:
    """Whether k^(2/3) (eps/alpha)^(4/3) is a whole number or outside of [2, k], eps/alpha being the ratio."""
    from panshuffle.exact.real import parse

    value = parse(f"({k})^(2/3)*({ratio})^(4/3)")
    ball = value.ball(128)
    if ball < 2 or ball > k:
        return Decision(Status.PROVED, "ball computation")
    if ball.contains_integer():
        return Decision(Status.UNDECIDED, "ball computation")
    return Decision(
        Status.REFUTED,
        "ball computation",
        f"k = {k}, eps/alpha = {ratio}: the number of groups would be {float(ball.mid()):.4f}",
    )


def at(says: str, k: int, ratio: str) -> Step:
    """The claim at one k and eps/alpha."""
    return computed(says, lambda: whole(k, ratio), "ball", "none is needed: one number, evaluated by Arb")


STATEMENT = Statement(
    label="thm:ut-app-upper-bound",
    where="section 4.1.2, the rule for k^ in the proof of Theorem ut-app-upper-bound",
    kind="display",
    printed="k^ = 2 if x < 2, k if x > k, x otherwise, with x = k^(2/3) eps^(4/3)/alpha^(4/3), is a number of groups.",
    covers=("display-31",),
    severity="convention",
    steps=(kernel_refutation("group-count-refuted", "k = 100, eps = alpha = 1/2: x = 100^(2/3) is between 21 and 22"),),
    why="x is not a whole number in general, it need not divide k, and for k = 1 the rule asks for two groups of one element.",
    repair=Repair(
        "k >= 2, k^ is x rounded up, and k is padded to a multiple of k^: T_1 grows by at most 1.11 from rounding, since x >= 2 gives x <= k^ <= 1.5x, and T_3 does not; padding at most doubles k and halves alpha, which costs T_1 a factor 2^(3/2) and T_3 a factor 8.",
        (
            kernel("group-count"),
            kernel("padding"),
        ),
    ),
    survives="The sample complexity survives, with other constants.",
    constants=(
        Constant("1.5", twin="at most 1.49x", by="1.49"),
        Constant("1.11", twin="rounding with 1.1", by="1.1"),
    ),
    twins=(
        inequality("(1.5*x)^(1/4) <= 1.1*x^(1/4)", says="rounding with 1.1", x="[2, inf)"),
        smt("c <= 1.49*x", ("x <= c", "c < x + 1", "x >= 2"), says="at most 1.49x", x="[2, inf)", c="integer [2, inf)"),
    ),
)
