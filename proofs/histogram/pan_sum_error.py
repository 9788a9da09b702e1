"""Theorem zerocount-pan: the error."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import inequality, no_constant, smt

LEAST = "20*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)"

STATEMENT = Statement(
    label="theorem:zerocount-pan",
    where="section 5, Theorem zerocount-pan, error; the same sentence in Theorem hist-pan",
    kind="theorem",
    printed="Given eps > 0, delta in (0,1) and lambda >= 20 c^2 ln(2/delta), the error is at most 2 lambda = O((1/eps^2) log(1/delta)).",
    rests_on=("pan-sum-range",),
    steps=(
        no_constant(
            "some constant C bounds the least 2 lambda that is allowed, 40 c^2 ln(2/delta), by (C/eps^2) ln(1/delta)",
            inequality(
                "40*((exp(C) + 1)/(exp(C) - 1))^2*log(4) > log(2)/C",
                says="at eps = C and delta = 1/2 the least 2 lambda, 40 c^2 ln 4, is above (C/eps^2) ln 2 = ln 2/C, for every C >= 1",
                C="[1, inf)",
            ),
            "C",
        ),
    ),
    why=(
        "The error is at most 2 lambda, but 2 lambda is not O((1/eps^2) log(1/delta)): lambda may be any larger number; "
        "c >= 1 however large eps is, so eps = C is a witness against the constant C; and ln(2/delta) does not go to 0 with "
        "ln(1/delta) as delta goes to 1."
    ),
    repair=Repair(
        "For eps <= 1, delta <= 1/2 and the least lambda allowed, 0 <= z - sum x_i <= 2 lambda <= (450/eps^2) ln(1/delta).",
        (
            smt(
                "0 <= a + b <= 2*lam",
                ("a <= lam", "b <= lam"),
                says="the noise is at least 0 and at most 2 lambda",
                a="[0, inf)",
                b="[0, inf)",
                lam="[1, inf)",
            ),
            inequality("(exp(e) + 1)/(exp(e) - 1) <= 2.2/e", says="c <= 2.2/eps", e="(0, 1]"),
            inequality("log(2/d) <= 2*log(1/d)", says="ln(2/delta) <= 2 ln(1/delta)", d="(0, 1/2]"),
            inequality(
                "2*(20*2.2^2*2*x + 1) <= 450*x",
                says="2(lambda + 1), rounding included, with x = ln(1/delta) and eps <= 1",
                x="[log(2), inf)",
            ),
        ),
    ),
    survives="The pan histogram's entry of Figure 1 assumes eps = O(1) and delta < 1/n, and survives.",
    twins=(
        inequality(
            f"2*{LEAST} <= 160/e^2*log(2/d)", says="for eps <= 1, with the constant 160", e="(0, 1]", d="(0, 1/2]"
        ),
        inequality(f"2*{LEAST} <= 450/e^2*log(1/d)", says="the repair for delta up to 9/10", e="(0, 1]", d="(0, 9/10]"),
    ),
)
