"""Figure 1, central, distinct elements."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import inequality, no_constant, smt

STATEMENT = Statement(
    where="Figure 1, central, distinct elements",
    kind="figure",
    printed="Central, distinct elements: additive error Theta(1/eps), for delta = 0, eps = O(1), 1/n < eps and a data domain of size k.",
    steps=(
        no_constant(
            "some constant c > 0 bounds the error from below by c/eps for every k and eps <= 1",
            smt(
                "(k - 1)/2 < c/(c/k)",
                says="any k >= 2, eps = c/k, any n: the constant answer (k+1)/2 errs by at most (k-1)/2, less than c/eps = k, however small c and however large k is",
                c="(0, 1]",
                k="[2, inf)",
            ),
            "c",
            toward="0",
        ),
    ),
    why="D is between 1 and k, so the constant answer errs by less than k/2: a lower bound above that is meant for k above 1/eps.",
    severity="false",
    repair=Repair(
        "O(1/eps) always; and for eps <= c, beta < min(1/3, 1/(1 + e^c)) and k, n >= 1 + 1/eps every eps-private algorithm that solves the "
        "(alpha, beta)-problem has alpha >= 1/(6 eps).",
        (
            inequality(
                "2*exp(-e)/(1 - exp(-2*e)) <= 1/e",
                says="the mean error of geometric noise is at most 1/eps",
                e="(0, inf)",
            ),
            smt(
                "1 - b <= g*b",
                ("p >= 1 - b", "p <= g*q", "q + s <= 1", "s >= 1 - b"),
                says="two datasets r rows apart whose answers are apart: 1 - beta <= g beta, g = e^(r eps)",
                b="(0, 1)",
                p="[0, 1]",
                q="[0, 1]",
                s="[0, 1]",
                g="[1, inf)",
            ),
            smt("b >= 1/(1 + g)", ("1 - b <= g*b",), says="so beta >= 1/(1 + g)", b="(0, 1)", g="[1, inf)"),
            inequality("log(2)/e >= 2", says="eps <= 1/3: ln 2/eps is at least 2", e="(0, 1/3]"),
            smt(
                "r/2 >= y/4",
                ("r >= y - 1", "y >= 2"),
                says="r, the largest integer below y = ln 2/eps, is at least y/2",
                r="[1, inf)",
                y="[2, inf)",
            ),
            inequality("log(2)/4 >= 1/6", says="so alpha >= r/2 >= ln 2/(4 eps) >= 1/(6 eps)"),
            smt("1/2 >= 1/(6*e)", says="eps >= 1/3: alpha >= 1/2 with r = 1", e="[1/3, inf)"),
        ),
        ("geometric-distinct-elements",),
        argument=(
            "The upper bound is geometric-distinct-elements. Below: let x have D(x) = 1 and let x' differ from it in r rows and have D(x') = 1 + r, "
            "r <= min(n, k) - 1. If alpha < r/2, the sets of answers within alpha of 1 and of 1 + r are disjoint. An eps-private algorithm gives the first set a "
            "probability p at x and q at x' with p <= e^(r eps) q, by r uses of the definition; p >= 1 - beta and, at x', the second set has probability "
            "s >= 1 - beta. So beta >= 1/(1 + e^(r eps)). For eps <= 1/3 take r the largest integer below ln 2/eps, r <= 1/eps <= min(n, k) - 1: e^(r eps) < 2 and "
            "beta > 1/3, excluded, so alpha >= r/2. For 1/3 <= eps <= c take r = 1: beta >= 1/(1 + e^c), excluded, so alpha >= 1/2 >= 1/(6 eps)."
        ),
    ),
    survives="The comparison that the figure makes is for large k.",
    twins=(
        smt(
            "1/2 < c/e",
            ("e <= 2.1*c",),
            says="the constant answer beats c/eps for eps up to 2.1c",
            c="(0, inf)",
            e="(0, 1]",
        ),
        inequality("log(2)/4 >= 0.174", says="the repair with 0.174/eps for eps <= 1/3"),
        smt("1/2 >= 1/(6*e)", says="r = 1 for eps >= 0.32", e="[0.32, inf)"),
    ),
    constants=(Constant("1/6", twin="the repair with 0.174/eps for eps <= 1/3", by="0.174"),),
)
