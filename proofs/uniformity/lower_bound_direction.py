"""Case 2 of the tester: a bound from above is used from below."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import kernel, kernel_refutation, smt

# The printed inequality, both sides times m/k^(3/2): r = sqrt(k), s = sqrt(lambda), and every l_j is y^2 lambda.
LEFT = "r*y^2*s^2/4 - 5/2*y^2*s^2 - 5/sqrt(2)*y*s"
RIGHT = "r*s^2/2 - 5*s^2 - 5*s"
MEAN = "r*s^2/4 - 5/2*s^2 - 5/sqrt(2)*s"

STATEMENT = Statement(
    label="eq:z'-lower",
    where="section 4.1.1, Case 2, Equation z'-lower",
    kind="display",
    printed="From l_j <= 2 lambda for all j: 29 alpha^2 m/100 + k/(4m) sum l_j - 5k/(2m) sqrt(sum l_j^2) - 5k/(sqrt(2) m) sqrt(sum l_j) >= "
    "29 alpha^2 m/100 + k^2 lambda/(2m) - 5k^(3/2) lambda/m - 5k^(3/2) lambda^(1/2)/m.",
    covers=("eq:z'-lower",),
    severity="false",
    steps=(
        kernel_refutation(
            "paper-eq-z-lower-direction",
            "k = 400, m = 1, lambda = 1, every l_j = 1 (the mean): without the common term the left side is 40000 - 20000 - 20000 sqrt(2) < -8284, the right side 80000 - 40000 - 40000 = 0",
        ),
    ),
    why="The bound l_j <= 2 lambda is used in the wrong direction: it bounds the sum from above. The mean of k/(4m) sum l_j is "
    "k^2 lambda/(4m), half of what is claimed.",
    repair=Repair(
        "It fails for every k >= 256 and lambda >= 1 where every l_j is lambda; the theorem holds with another threshold, which is built around k^2 lambda/(4m).",
        (
            kernel("lower-direction"),
            kernel("paper-thm-ut-upper-bound-prelim"),
        ),
    ),
    survives="It does not survive: the printed threshold contains k^2 lambda/(2m), and for large k the printed tester fails.",
    above=("tester-as-printed",),
    constants=(Constant("16", twin="the opposite for every k >= 15.5^2", by="15.5"),),
    also=(kernel("z-lower-step-refuted"),),
    twins=(
        smt(
            f"{MEAN} < {RIGHT}",
            says="the opposite for every k >= 15.5^2",
            r="[15.5, inf)",
            s="[1, inf)",
        ),
        smt(
            f"{LEFT} >= {RIGHT}",
            ("y^2 >= 1.9",),
            says="if all l_j are at least 1.9 lambda",
            r="[1, inf)",
            s="[1, inf)",
            y="[0, sqrt(2)]",
        ),
    ),
)
