"""A lambda for P_UT without k in the logarithm."""

from __future__ import annotations

from proofs.statement import Constant, Statement
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
        "uniformity-randomizer-keeps-messages:repaired",
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
    argument=(
        "By the statement on neighbours a pool, given L noise messages, is a shift of Bin(L, 1/2) by 1. By binomial-mechanism-constant with p = 1/2 it is (eps, delta_L)-private for every delta_L with L/2 >= 1.03 c^2 ln(2/delta_L), so with delta_L = 2 exp(-L/(2.06 c^2)); where that is 1 or more nothing is claimed, as at L = 0. L is visible and independent of the data, so the pool's delta is at most the mean of delta_L over L ~ Pois(mu), "
        "mu = gamma lambda, which the generating function at e^(-1/(2.06 c^2)) gives: the first step. With x = 1/(2.06 c^2) <= 1/2.06 and lambda >= 2.65 c^2 ln(2/delta), mu(1 - e^-x) >= gamma 2.65 c^2 ln(2/delta) (2.06/2.65) x = gamma ln(2/delta) by the second, and the third step is the pool's delta. The two pools that change compose: twice eps and delta. The kernel's composition is for finite laws; countable-laws bridges to Poisson counts."
    ),
    constants=(
        Constant("2.65", twin="with 2.59", by="2.59"),
        Constant("4", slack="4(delta/2)^gamma is what composition gives; the exact delta of the pair is far smaller"),
    ),
    twins=(
        inequality("2.59*(1 - exp(-x)) >= 2.06*x", says="with 2.59", x="(0, 1/2.06]"),
        inequality("2.65*(1 - exp(-x)) >= 2.06*x", says="for x up to 1/1.7", x="(0, 1/1.7]"),
    ),
)
