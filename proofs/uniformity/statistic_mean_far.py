"""Equation ex-z-non: the mean of Z when D is far from uniform."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, moment, smt

STATEMENT = Statement(
    label="eq:ex-z-non",
    where="section 4.1.1, Case 2, Equation ex-z-non",
    kind="display",
    printed="If the total variation of D and U is above alpha: E[Z] >= alpha^2 m/5. (In truth E[Z] = mk sum (p_j - 1/k)^2 > 4 alpha^2 m.)",
    hypotheses=("c_j ~ Pois(m p_j)",),
    covers=("eq:ex-z-non",),
    steps=(
        moment(
            "value = (nu - mu)^2",
            {"c": "Pois(nu)"},
            mean_of="(c - mu)^2 - c",
            says="one term has the mean (m p_j - m/k)^2",
            nu="[0, inf)",
            mu="(0, inf)",
        ),
        identity(
            "k/m*(m*p - m/k)^2 = m*k*(p - 1/k)^2",
            says="so E[Z] = mk sum (p_j - 1/k)^2",
            k="[1, inf)",
            m="(0, inf)",
            p="[0, 1]",
        ),
        smt(
            "k*(x^2 + y^2) >= (x + y)^2",
            ("k >= 2",),
            says="Cauchy-Schwarz: k sum (p_j - 1/k)^2 >= (sum |p_j - 1/k|)^2 > (2 alpha)^2, here for two terms",
            x="[0, inf)",
            y="[0, inf)",
            k="[2, inf)",
        ),
        smt(
            "k*x^2 - 2*x*s + s^2/k >= 0",
            says="and in general: the sum over j of (sqrt(k) x_j - s/sqrt(k))^2 is not negative, s = sum x_j",
            x="(-inf, inf)",
            s="(-inf, inf)",
            k="[1, inf)",
        ),
        smt("4*a^2*m >= a^2*m/5", says="which is more than alpha^2 m/5", a="(0, 1)", m="(0, inf)"),
    ),
    twins=(
        smt("k*(x^2 + y^2) >= 1.01*(x + y)^2", ("k >= 2",), says="with 1.01", x="[0, inf)", y="[0, inf)", k="[2, inf)"),
        moment(
            "value = (nu - mu)^2 + nu",
            {"c": "Pois(nu)"},
            mean_of="(c - mu)^2 - c",
            says="with nu more",
            nu="[0, inf)",
            mu="(0, inf)",
        ),
    ),
)
