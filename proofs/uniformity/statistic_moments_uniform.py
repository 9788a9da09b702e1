"""Claim moments-uniform: E[Z] and Var[B] under the uniform law."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, moment, smt

COUNT = {"c": "Pois(mu)"}

STATEMENT = Statement(
    label="claim:moments-uniform",
    where="section 4.1.1, Claim moments-uniform, E[Z] and Var[B], proved in Appendix A.3",
    kind="claim",
    printed="For n ~ Pois(m) and D = U: E[Z] <= alpha^2 m/500 and Var[B] = (k/m) sum l_j.",
    hypotheses=("c_j ~ Pois(m/k), independent", "Var[B] is given the l_j"),
    covers=("claim:moments-uniform",),
    rests_on=("noise-moments", "countable-laws"),
    steps=(
        moment("value = 0", COUNT, mean_of="(c - mu)^2 - c", says="E[Z] = 0, exactly, mu = m/k", mu="(0, inf)"),
        smt("0 <= a^2*m/500", says="which is at most alpha^2 m/500", a="(0, 1)", m="(0, inf)"),
        moment("value = mu", COUNT, mean_of="(c - mu)^2", says="E[(c_j - m/k)^2] = m/k", mu="(0, inf)"),
        identity(
            "4*k^2/m^2*(l/4)*(m/k) = k/m*l",
            says="Var[B]: each term 4k^2/m^2 E[E_j^2] E[(c_j - m/k)^2] is (k/m) l_j",
            k="[1, inf)",
            m="(0, inf)",
            l="[0, inf)",
        ),
    ),
    twins=(
        moment("value = mu", COUNT, mean_of="(c - mu)^2 - c", says="E[Z] = m/k a term", mu="(0, inf)"),
        identity(
            "4*k^2/m^2*(l/4)*(m/k) = 2*k/m*l", says="Var[B] twice as large", k="[1, inf)", m="(0, inf)", l="[0, inf)"
        ),
    ),
)
