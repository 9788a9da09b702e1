"""Section 4.1.1: Z' = Z + A + B - C."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import identity, kernel

DOMAIN = {"c": "(-inf, inf)", "E": "(-inf, inf)", "k": "[1, inf)", "m": "[1, inf)"}

STATEMENT = Statement(
    where="section 4.1.1, proof of Theorem ut-upper-bound-prelim, the first display on sample complexity",
    kind="display",
    printed="Z' = Z + A + B - C with E_j = c_j(y) - c_j(x).",
    covers=("display-21",),
    steps=(kernel("paper-statistic-decomposition"),),
    twins=(
        identity(
            "k/m*((c + E - m/k)^2 - (c + E)) = k/m*((c - m/k)^2 - c) + k/m*E^2 + 2*k/m*E*(c - m/k) + k/m*E",
            says="with + C",
            **DOMAIN,
        ),
        identity(
            "k/m*((c + E - m/k)^2 - (c + E)) = k/m*((c - m/k)^2 - c) + k/m*E^2 + 1.98*k/m*E*(c - m/k) - k/m*E",
            says="with 1.98 in place of 2",
            **DOMAIN,
        ),
    ),
)
