"""A lambda for P_UT without k in the logarithm."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="beside Theorem ut-upper-bound-prelim, privacy",
    kind="sharper",
    printed=(
        "With lambda >= 2.65 ((e^eps+1)/(e^eps-1))^2 ln(2/delta), a real number and without k, P_UT is "
        "(2 eps, 4(delta/2)^gamma, gamma)-robustly shuffle private."
    ),
    hypotheses=("gamma in (0,1], eps > 0, delta in (0,1)", "the randomizer appends its data message"),
    rests_on=(
        "binomial-mechanism-constant",
        "poisson-generating-function",
        "composition",
        "poisson-sums",
        "countable-laws",
        "uniformity-worst-neighbour",
    ),
    steps=(
        identity(
            "2*exp(mu*(exp(-1/(2.06*c2)) - 1)) = 2*exp(-mu*(1 - exp(-1/(2.06*c2))))",
            says=(
                "given L noise messages a pool has delta at most 2 exp(-L/(2*1.03 c^2)), L = 0 included; over L ~ Pois(mu), "
                "mu = gamma lambda, the mean of that is 2 exp(-mu(1 - e^(-1/(2.06 c^2))))"
            ),
            mu="(0, inf)",
            c2="[1, inf)",
        ),
        inequality(
            "2.65*(1 - exp(-x)) >= 2.06*x",
            says="2.65 c^2 (1 - e^-x) >= 1 for x = 1/(2.06 c^2) <= 1/2.06",
            x="(0, 1/2.06]",
        ),
        identity(
            "2*exp(-g*log(2/d)) = 2*(d/2)^g", says="so a pool has at most 2(delta/2)^gamma", g="(0, 1]", d="(0, 1)"
        ),
    ),
    twins=(
        inequality("2.59*(1 - exp(-x)) >= 2.06*x", says="with 2.59", x="(0, 1/2.06]"),
        inequality("2.65*(1 - exp(-x)) >= 2.06*x", says="for x up to 1/1.7", x="(0, 1/1.7]"),
    ),
)
