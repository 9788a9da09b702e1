"""Section 3.2: the central baseline with geometric noise."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, inequality

STATEMENT = Statement(
    where="section 3.2, the last paragraph, and section 1.1",
    kind="prose",
    printed="The trivial eps-centrally private solution of computing the number of distinct elements and adding geometric noise achieves error O(1/eps) for any eps and n.",
    reading="The geometric noise is the symmetric one: P[noise = v] = (1-s)/(1+s) s^|v| for whole v, s = e^-eps; eps > 0.",
    rests_on=("geometric-worst-neighbour", "markov"),
    steps=(
        identity(
            "(1 - s)/(1 + s)*s^v/((1 - s)/(1 + s)*s^(v + 1)) = 1/s",
            says="neighbouring masses have the ratio e^eps",
            s="(0, 1)",
            v="[0, inf)",
        ),
        identity(
            "2*(1 - s)/(1 + s)*(s/(1 - s)^2) = 2*s/(1 - s^2)",
            says="E|noise| = 2 (1-s)/(1+s) sum of v s^v = 2s/(1-s^2)",
            s="(0, 1)",
        ),
        inequality("2*exp(-e)/(1 - exp(-2*e)) <= 1/e", says="which is at most 1/eps", e="(0, inf)"),
    ),
    argument=(
        "By geometric-worst-neighbour the law of the output moves by at most 1, and neighbouring masses s^|v| have the ratio 1/s = e^eps or s, the first step: eps-private. E|noise| = 2 (1-s)/(1+s) sum of v s^v with sum of v s^v = s/(1-s)^2 "
        "is 2s/(1-s^2), at most 1/eps; by markov the error is at most 3/eps with probability 2/3."
    ),
    constants=(Constant("1", twin="at most 0.99/eps", by="0.99"),),
    twins=(
        inequality("2*exp(-e)/(1 - exp(-2*e)) <= 0.99/e", says="at most 0.99/eps", e="(0, inf)"),
        identity(
            "(1 - s)/(1 + s)*s^v/((1 - s)/(1 + s)*s^(v + 2)) = 1/s",
            says="with a shift by 2",
            s="(0, 1)",
            v="[0, inf)",
        ),
    ),
)
