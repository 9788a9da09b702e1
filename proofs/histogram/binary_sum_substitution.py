"""Appendix A.4: eps may be replaced by sqrt(5) (e^eps-1)/(e^eps+1)."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, inequality

STATEMENT = Statement(
    where="Appendix A.4, before Claim robust_bc",
    kind="prose",
    printed="As written, P^zsum only ensures privacy for eps <= 1, but this limitation is lifted by replacing instances of eps with sqrt(5)(e^eps-1)/(e^eps+1).",
    rests_on=("binary-sum-as-written", "robust-binary-sum"),
    steps=(
        identity(
            "50/(sqrt(5)*(E - 1)/(E + 1))^2 = 10*((E + 1)/(E - 1))^2",
            says="the constants agree: 50/5 = 10",
            E="(1, inf)",
        ),
        inequality(
            "50/e^2 >= 10*((exp(e) + 1)/(exp(e) - 1))^2",
            says="for eps <= 1.2, and so for eps <= 1, the written p has at least that much noise",
            e="(0, 1.2]",
        ),
    ),
    argument=(
        "With the replacement the cited p becomes 1 - (10/n) c^2 ln(2/delta), c = (e^eps+1)/(e^eps-1), by the first step: the p of Claim robust_bc, which is private for every eps > 0 (at gamma = 1). For eps <= 1.2 (the crossing is at 1.204...) the second step says that the p as written is at most that one, "
        "so there is at least as much noise where the p as written is at least 1/2, n >= (100/eps^2) ln(2/delta): 1 - p is then the chance of the rarer noise bit."
    ),
    constants=(
        Constant("5", twin="with sqrt(4.9)", by="4.9"),
        Constant("1.2", twin="for eps up to 1.21", by="1.21"),
    ),
    twins=(
        identity("50/(sqrt(4.9)*(E - 1)/(E + 1))^2 = 10*((E + 1)/(E - 1))^2", says="with sqrt(4.9)", E="(1, inf)"),
        inequality("50/e^2 >= 10*((exp(e) + 1)/(exp(e) - 1))^2", says="for eps up to 1.21", e="(0, 1.21]"),
    ),
)
