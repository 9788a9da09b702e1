"""Equation var-b: the variance of B, given the noise scales."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, kernel, moment

STATEMENT = Statement(
    label="eq:var-b",
    where="Appendix A.3, proof of Claim moments-uniform, Equation var-b and the lines after it",
    kind="display",
    printed="Var[B] = k^2/m^2 sum l_j E[(c_j - m/k)^2], which is k/m sum l_j under the uniform law, where E[(c_j - m/k)^2] = m/k.",
    reading="Everything is given the l_j; n ~ Pois(m), so c_j ~ Pois(m/k) under the uniform law.",
    rests_on=("poissonization", "binomial-moments"),
    covers=("eq:var-b",),
    steps=(
        kernel("variance-b"),
        kernel("variance-b-uniform"),
        identity(
            "4*k^2/m^2*(l/4)*x = k^2/m^2*l*x", says="one term", k="[1, inf)", m="(0, inf)", l="[0, inf)", x="[0, inf)"
        ),
        moment("value = mu", {"c": "Pois(mu)"}, mean_of="(c - mu)^2", says="E[(c_j - m/k)^2] = m/k", mu="(0, inf)"),
        identity("k^2/m^2*l*(m/k) = k/m*l", says="under the uniform law", k="[1, inf)", m="(0, inf)", l="[0, inf)"),
    ),
    argument=(
        "The kernel's theorems are for counts with finite laws. For Poisson counts: B is a sum over j of independent terms (2k/m) E_j (c_j - m/k); E_j and c_j are independent, E[E_j] = 0, E[E_j^2] = l_j/4 and c_j has a second moment, so each term has mean 0 and the variance 4k^2/m^2 (l_j/4) E[(c_j - m/k)^2], and the variances add up. The last two steps are the uniform case."
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
