"""Theorem ut-app-upper-bound: the number of groups."""

from __future__ import annotations

from proofs.statement import Constant, Repair, Statement, Step
from proofs.steps import computed, identity, inequality, smt
from symbolic.decision import Decision, Status


def whole(k: int, ratio: str) -> Decision:
    """Whether k^(2/3) (eps/alpha)^(4/3) is a whole number or outside of [2, k], eps/alpha being the ratio."""
    from exact.numbers.grammar import parse

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
        "k >= 2, k^ is x rounded up, and k is padded to a multiple of k^: T_1 grows by at most 1.11 from rounding, since x >= 2 gives x <= k^ <= 1.5x, and T_3 does not; padding at most doubles k and halves alpha, which costs T_1 a factor 2^(3/2) and T_3 a factor 8.",
        (
            inequality("(1.5*x)^(1/4) <= 1.11*x^(1/4)", says="rounding: T_1 has k^^(1/4)", x="[2, inf)"),
            identity(
                "(2*k)^(1/2)/(a/2) = 2^(3/2)*(k^(1/2)/a)",
                says="padding: T_1 has k^(1/2)/alpha",
                k="[2, inf)",
                a="(0, 1)",
            ),
            identity("(2*k)/(a/2)^2 = 8*(k/a^2)", says="padding: T_3 has k/alpha^2", k="[2, inf)", a="(0, 1)"),
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
        argument=(
            "k^ is x rounded up if 2 <= x <= k, else 2 or k. T_1 = k^(1/2) k^^(1/4)/(alpha eps) and T_3 = k/(alpha^2 k^^(1/2)): the first grows with k^, by the step at most 1.11, the second falls. The padded domain has at most 2k elements, and the padded D is at least half as far from uniform, k/K >= 1/2; "
            "k and alpha enter T_1 and T_3 as in the two identities."
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
