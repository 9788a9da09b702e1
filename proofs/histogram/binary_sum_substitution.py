"""Appendix A.4: eps may be replaced by sqrt(5) (e^eps-1)/(e^eps+1)."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    where="Appendix A.4, before Claim robust_bc",
    kind="prose",
    printed=(
        "P^zsum as written, with p = 1 - (50/(eps^2 n)) ln(2/delta), only ensures privacy for eps <= 1; replacing eps by "
        "sqrt(5)(e^eps-1)/(e^eps+1) gives the p of Claim robust_bc."
    ),
    steps=(
        identity(
            "50/(sqrt(5)*(E - 1)/(E + 1))^2 = 10*((E + 1)/(E - 1))^2",
            says="the constants agree: 50/5 = 10",
            E="(1, inf)",
        ),
        inequality(
            "50/e^2 >= 10*((exp(e) + 1)/(exp(e) - 1))^2",
            says="for eps <= 1 the written p has at least that much noise",
            e="(0, 1]",
        ),
    ),
    twins=(
        identity("50/(sqrt(6)*(E - 1)/(E + 1))^2 = 10*((E + 1)/(E - 1))^2", says="with sqrt(6)", E="(1, inf)"),
        inequality("50/e^2 >= 10*((exp(e) + 1)/(exp(e) - 1))^2", says="for eps up to 3/2", e="(0, 3/2]"),
    ),
)
