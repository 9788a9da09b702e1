"""Case 2: 29 alpha^2 m/100."""

from __future__ import annotations

from proofs.statement import Constant, Repair, Statement
from proofs.steps import inequality, kernel_refutation

STATEMENT = Statement(
    label="eq:z'-lower",
    where="section 4.1.1, Case 2, the second line of the display with Equation z'-lower",
    kind="step",
    printed="E[Z] - sqrt(E[Z]^2/100 * 50) > 29 alpha^2 m/100, from E[Z] >= alpha^2 m/5.",
    severity="unproved step",
    steps=(
        inequality(
            "z - sqrt(z^2/100*50) > 29*x/100",
            ("z >= x/5",),
            says="with x = alpha^2 m and z = E[Z]",
            z="(0, 10]",
            x="(0, 10]",
        ),
        kernel_refutation("z-lower-constant-refuted", "E[Z] = alpha^2 m/5"),
    ),
    why="1 - sqrt(1/2) = 0.2929 is the factor of E[Z], not of alpha^2 m: from E[Z] >= alpha^2 m/5 only 0.0585 alpha^2 m follows.",
    repair=Repair(
        "E[Z] > 4 alpha^2 m, and (1 - sqrt(1/2)) E[Z] > 1.17 alpha^2 m.",
        (inequality("(1 - sqrt(1/2))*4*x > 1.17*x", says="with x = alpha^2 m", x="(0, inf)"),),
        ("statistic-mean-far",),
        argument=(
            "By the statement on the mean E[Z] > 4 alpha^2 m; z - sqrt(z^2/2) = (1 - sqrt(1/2)) z grows with z, so it is above (1 - sqrt(1/2)) 4 alpha^2 m, which the step bounds."
        ),
    ),
    survives="The number 29/100 is right, for another reason.",
    constants=(Constant("1.17", twin="the repair with 1.18", by="1.18"),),
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
