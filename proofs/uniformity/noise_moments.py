"""Claim moments: the moments of A, B and C, given the noise scales."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, moment, smt

NOISE = {"X": "Bin(l, 1/2)"}

STATEMENT = Statement(
    label="claim:moments",
    where="section 4.1.1, Claim moments (Equations ex and var), proved in Appendix A.3",
    kind="claim",
    printed="E[A] = k/(4m) sum l_j, E[B] = E[C] = 0, Var[A] <= k^2/(8m^2) sum l_j^2, Var[C] = k^2/(4m^2) sum l_j.",
    reading="Everything is given the l_j: then E_j = Bin(l_j, 1/2) - l_j/2, independent of each other and of the data.",
    covers=("claim:moments", "eq:ex", "eq:var", "display-48", "display-49", "display-50"),
    steps=(
        kernel("paper-claim-moments"),
        kernel("variance-a-exact"),
        kernel("binomial-square-variance"),
    ),
    also=(
        moment("value = l/4", NOISE, mean_of="(X - l/2)^2", says="E[E_j^2]", l="[0, inf)"),
        moment("value = l/4", NOISE, variance_of="X - l/2", says="Var[E_j]", l="[0, inf)"),
        moment("value = l^2/8 - l/8", NOISE, variance_of="(X - l/2)^2", says="Var[E_j^2]", l="[0, inf)"),
        smt("l^2/8 - l/8 <= l^2/8", says="Var[E_j^2] <= l^2/8", l="[0, inf)"),
    ),
    constants=(
        Constant("1/8", twin="Var[A] with 0.124", by="0.124"),
        Constant("1/4", twin="Var[E_j] = 0.26 l", by="0.26"),
    ),
    twins=(
        smt("l^2/8 - l/8 <= 0.124*l^2", says="Var[A] with 0.124", l="[0, inf)"),
        moment("value = 0.26*l", NOISE, variance_of="X - l/2", says="Var[E_j] = 0.26 l", l="[0, inf)"),
    ),
)
