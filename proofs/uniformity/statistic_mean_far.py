"""Equation ex-z-non: the mean of Z when D is far from uniform."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, moment, smt

STATEMENT = Statement(
    label="eq:ex-z-non",
    where="section 4.1.1, Case 2, Equation ex-z-non",
    kind="display",
    printed="If the total variation of D and U is above alpha: E[Z] >= alpha^2 m/5. (In truth E[Z] = mk sum (p_j - 1/k)^2 > 4 alpha^2 m.)",
    reading="n ~ Pois(m), so c_j ~ Pois(m p_j).",
    rests_on=("poissonization",),
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
            "2*(x^2 + y^2) >= (x + y)^2",
            says="Cauchy-Schwarz: k sum (p_j - 1/k)^2 >= (sum |p_j - 1/k|)^2 > (2 alpha)^2, here for k = 2",
            x="[0, inf)",
            y="[0, inf)",
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
    argument=(
        "Z is k/m times the sum over j of (c_j - m/k)^2 - c_j; by the first two steps its mean is mk times the sum of (p_j - 1/k)^2. Let x_j = |p_j - 1/k| and s their sum, twice the total variation, so s > 2 alpha. The fourth step, summed over the k elements, says k sum x_j^2 - 2 s^2 + s^2 >= 0, so k sum x_j^2 >= s^2 > 4 alpha^2, "
        "and E[Z] > 4 alpha^2 m, more than alpha^2 m/5."
    ),
    constants=(
        Constant(
            "1/5", slack="not tight: 4 in place of 1/5 holds, and 4.04 does not (the twin with 1.01, for two elements)"
        ),
    ),
    twins=(
        smt("2*(x^2 + y^2) >= 1.01*(x + y)^2", says="with 1.01", x="[0, inf)", y="[0, inf)"),
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
