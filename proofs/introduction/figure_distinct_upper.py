"""Figure 1, robust shuffle, distinct elements, upper bound."""

from __future__ import annotations

from panshuffle.proofs.introduction.robust_distinct_error import BELOW, READING, REFEREE, REFUTED, WHY
from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import inequality, smt

STATEMENT = Statement(
    where="Figure 1, robust shuffle, distinct elements, upper bound",
    kind="figure",
    printed="Robust shuffle, distinct elements: additive error O(sqrt(k)/eps) with constant probability, for eps = O(1) and delta < 1/n < eps.",
    reading=READING,
    covers=("fig:results",),
    rests_on=BELOW,
    steps=REFUTED,
    why=WHY
    + " At gamma = 1/3 and beta = 1/3 the theorem's alpha at the loss t = 2 eps' has alpha t/sqrt(k) = 31, 1632, 152581 at t = 1, 0.1, 0.01.",
    severity="false",
    referee=REFEREE,
    repair=Repair(
        "O(sqrt(k)/eps^(1/gamma)): sqrt(2k ln(2/beta)) (2.55/eps)^(1/gamma) for eps <= 1, which is the order of P_DE's error; O(sqrt(k)/eps) at gamma = 1.",
        (
            inequality("1/(1 - exp(-t/2)) <= 2.55/t", says="1/(1 - e^(-t/2)) <= 2.55/t", t="(0, 1]"),
            inequality(
                "31 < sqrt(2*log(6))/(1 - exp(-1/2))^3 < 31.1",
                says="gamma = beta = 1/3, t = 1: alpha t/sqrt(k) is 31.07",
            ),
            inequality(
                "1631 < 0.1*sqrt(2*log(6))/(1 - exp(-0.05))^3 < 1633",
                says="gamma = beta = 1/3, t = 0.1: alpha t/sqrt(k) is 1632",
            ),
            inequality(
                "152580 < 0.01*sqrt(2*log(6))/(1 - exp(-0.005))^3 < 152582",
                says="gamma = beta = 1/3, t = 0.01: alpha t/sqrt(k) is 152581",
            ),
        ),
        ("robust-distinct-error:repaired",),
        argument="The cell is the sentence of section 1.1 in a table: robust-distinct-error has the repaired bound and its proof, which uses or-simulation, distinct-ber and modular-sum-correct.",
    ),
    survives="The dependence on k survives; the dependence on eps that the figure compares with the lower bound does not for gamma < 1.",
    twins=(
        inequality("1/(1 - exp(-t/2)) <= 2.54/t", says="the repair with 2.54", t="(0, 1]"),
        smt("(2*(p/4)*s + 1)/s <= 3/4*p", ("s >= 3.9/p",), says="for k >= (3.9/p0)^2", p="(0, 1]", s="(0, inf)"),
        inequality("0.25*(4*t)^(-3) <= 1000/t", says="gamma = 1/3, p0 = 1/2: at most 1000 sqrt(k)/t", t="(0, 1/4]"),
    ),
    constants=(Constant("2.55", twin="the repair with 2.54", by="2.54"),),
)
