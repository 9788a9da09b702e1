"""Case 2: 29 alpha^2 m/100."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import inequality, kernel, kernel_refutation

STATEMENT = Statement(
    label="eq:z'-lower",
    where="section 4.1.1, Case 2, the second line of the display with Equation z'-lower",
    kind="step",
    printed="E[Z] - sqrt(E[Z]^2/100 * 50) > 29 alpha^2 m/100, from E[Z] >= alpha^2 m/5.",
    severity="unproved step",
    steps=(kernel_refutation("paper-eq-z-lower-constant", "E[Z] = alpha^2 m/5"),),
    why="1 - sqrt(1/2) = 0.2929 is the factor of E[Z], not of alpha^2 m: from E[Z] >= alpha^2 m/5 only 0.0585 alpha^2 m follows.",
    repair=Repair(
        "E[Z] >= 4 alpha^2 m, and so E[Z] - sqrt(E[Z]^2/100 * 50) > 1.17 alpha^2 m.",
        (
            kernel("far-mean"),
            kernel("lower-constant"),
        ),
    ),
    survives="The number 29/100 is right, for another reason.",
    constants=(Constant("1.17", twin="the repair with 1.18", by="1.18"),),
    also=(kernel("z-lower-constant-refuted"),),
    twins=(
        inequality("(1 - sqrt(1/2))*4*x > 1.18*x", says="the repair with 1.18", x="(0, inf)"),
        inequality(
            "z - sqrt(z^2/100*50) > x/17",
            ("z >= x/5",),
            says="x/17 from the printed bound",
            z="(0, 10]",
            x="(0, 10]",
        ),
    ),
)
