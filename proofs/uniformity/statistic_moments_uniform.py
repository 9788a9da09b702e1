"""Claim moments-uniform: E[Z] and Var[B] under the uniform law."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, moment, smt

COUNT = {"c": "Pois(mu)"}

STATEMENT = Statement(
    label="claim:moments-uniform",
    where="section 4.1.1, Claim moments-uniform, E[Z] and Var[B], proved in Appendix A.3",
    kind="claim",
    printed="For n ~ Pois(m) and D = U: E[Z] <= alpha^2 m/500 and Var[B] = (k/m) sum l_j.",
    reading="Var[B] is given the l_j.",
    covers=("claim:moments-uniform",),
    rests_on=("poissonization", "binomial-moments"),
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
    argument=(
        "By Poissonization the c_j are independent, Pois(m/k) each. The first step makes the mean of each term of Z 0, so E[Z] = 0. Given the l_j, B is a sum over j of independent terms (2k/m) E_j (c_j - m/k), E_j and c_j independent, E[E_j] = 0 and E[E_j^2] = l_j/4: each has mean 0 and the variance 4k^2/m^2 E[E_j^2] E[(c_j - m/k)^2], which the last two steps compute."
    ),
    constants=(
        Constant("1/500", slack="not tight: E[Z] is 0"),
        Constant("1", twin="Var[B] 1.02 times as large", by="1.02"),
    ),
    twins=(
        moment("value = mu", COUNT, mean_of="(c - mu)^2 - c", says="E[Z] = m/k a term", mu="(0, inf)"),
        identity(
            "4*k^2/m^2*(l/4)*(m/k) = 1.02*k/m*l",
            says="Var[B] 1.02 times as large",
            k="[1, inf)",
            m="(0, inf)",
            l="[0, inf)",
        ),
    ),
)
