"""Equation var-b: the variance of B, given the noise scales."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel, moment

STATEMENT = Statement(
    label="eq:var-b",
    where="Appendix A.3, proof of Claim moments-uniform, Equation var-b and the lines after it",
    kind="display",
    printed="Var[B] = k^2/m^2 sum l_j E[(c_j - m/k)^2], which is k/m sum l_j under the uniform law, where E[(c_j - m/k)^2] = m/k.",
    reading="Everything is given the l_j; n ~ Pois(m), so c_j ~ Pois(m/k) under the uniform law.",
    covers=("eq:var-b",),
    steps=(
        kernel("variance-b-poisson"),
        kernel("count-deviation"),
        kernel("paper-claim-moments-uniform"),
    ),
    constants=(Constant("1", twin="with 1.02 (k/m) l", by="1.02"),),
    twins=(
        identity(
            "4*k^2/m^2*(l/4)*(m/k) = 1.02*k/m*l", says="with 1.02 (k/m) l", k="[1, inf)", m="(0, inf)", l="[0, inf)"
        ),
        moment(
            "value = mu^2", {"c": "Pois(mu)"}, mean_of="(c - mu)^2", says="with E[(c - mu)^2] = mu^2", mu="(0, inf)"
        ),
    ),
)
