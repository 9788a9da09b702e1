"""Section 4.1.1: ln(2/delta)^gamma."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="section 4.1.1, proof of privacy: 'bounded by 2 exp(-ln(2/delta)^gamma) < 2 delta^gamma'",
    kind="step",
    printed="2 exp(-ln(2/delta)^gamma) < 2 delta^gamma.",
    steps=(inequality("2*exp(-log(2/d)^g) < 2*d^g", says="with (ln(2/delta))^gamma", d="(0, 1)", g="(0, 1]"),),
    why="Ambiguous: read as a power of the logarithm, it is false; the same in Bin(20 c^2 ln(2k/delta)^gamma, 1/2).",
    repair=Repair(
        "ln((2/delta)^gamma) = gamma ln(2/delta) in both places.",
        (
            identity(
                "exp(-log((2/d)^g)) = (d/2)^g",
                says="exp(-ln((2/delta)^gamma)) = (delta/2)^gamma",
                d="(0, 1)",
                g="(0, 1]",
            ),
            inequality("2*(d/2)^g < 2*d^g", says="which is below delta^gamma", d="(0, 1)", g="(0, 1]"),
        ),
    ),
    survives="The theorem's privacy survives.",
    twins=(
        inequality("2*(d/2)^g < 1.9*d^g", says="with 1.9 delta^gamma", d="(0, 1)", g="(0, 1]"),
        identity("exp(-log((2/d)^g)) = (d/3)^g", says="with delta/3", d="(0, 1)", g="(0, 1]"),
    ),
)
