"""Claim moments: the moments of A, B and C, given the noise scales."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import kernel, moment, smt

NOISE = {"X": "Bin(l, 1/2)"}

STATEMENT = Statement(
    label="claim:moments",
    where="section 4.1.1, Claim moments (Equations ex and var), proved in Appendix A.3; everything is given the l_j",
    kind="claim",
    printed="E[A] = k/(4m) sum l_j, E[B] = E[C] = 0, Var[A] <= k^2/(8m^2) sum l_j^2, Var[C] = k^2/(4m^2) sum l_j.",
    hypotheses=(
        "finite laws in the kernel; countable ones by countable-laws",
        "E_j = Bin(l_j, 1/2) - l_j/2, independent of each other and of the data, given the l_j",
    ),
    covers=("claim:moments", "eq:ex", "eq:var", "display-48", "display-49", "display-50"),
    steps=(
        kernel("mean-a"),
        kernel("mean-b"),
        kernel("mean-c"),
        kernel("variance-a-exact"),
        kernel("variance-a"),
        kernel("variance-c"),
    ),
    also=(
        moment("value = l/4", NOISE, mean_of="(X - l/2)^2", says="E[E_j^2]", l="[0, inf)"),
        moment("value = l/4", NOISE, variance_of="X - l/2", says="Var[E_j]", l="[0, inf)"),
        moment("value = l^2/8 - l/8", NOISE, variance_of="(X - l/2)^2", says="Var[E_j^2]", l="[0, inf)"),
        smt("l^2/8 - l/8 <= l^2/8", says="Var[E_j^2] <= l^2/8", l="[0, inf)"),
    ),
    twins=(
        moment(
            "value = 3*l^2/16 - l/4", NOISE, mean_of="(X - l/2)^4", says="with - l/4 in the fourth moment", l="[0, inf)"
        ),
        smt("l^2/8 - l/8 <= 0.124*l^2", says="Var[A] with 0.124", l="[0, inf)"),
        moment("value = l/2", NOISE, variance_of="X - l/2", says="Var[E_j] = l/2", l="[0, inf)"),
    ),
)
