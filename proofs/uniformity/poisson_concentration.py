"""Lemma poi_con: concentration of Poisson variables."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality

STATEMENT = Statement(
    label="lem:poi_con",
    where="section 4.1, Lemma poi_con",
    kind="lemma",
    printed="For X ~ Pois(lambda) and t > 0: P[|X - lambda| >= t] <= 2 e^(-t^2/(2(lambda+t))).",
    hypotheses=("lambda > 0", "t > 0"),
    covers=("lem:poi_con", "display-20"),
    rests_on=("exponential-markov", "poisson-generating-function", "markov"),
    steps=(
        identity(
            "lam*(exp(log(1 + u)) - 1) - log(1 + u)*(lam + lam*u) = -lam*((1 + u)*log(1 + u) - u)",
            says="above: the exponent at s = ln(1+u), t = lambda u",
            lam="(0, inf)",
            u="[0, inf)",
        ),
        inequality(
            "(1 + u)*log(1 + u) - u >= u^2/(2*(1 + u))", says="above: it is at least lambda u^2/(2(1+u))", u="[0, inf)"
        ),
        identity(
            "lam*(exp(log(1 - u)) - 1) - log(1 - u)*(lam - lam*u) = -lam*((1 - u)*log(1 - u) + u)",
            says="below: the exponent at s = ln(1-u), 0 < u < 1",
            lam="(0, inf)",
            u="[0, 1)",
        ),
        inequality("(1 - u)*log(1 - u) + u >= u^2/(2*(1 + u))", says="below: it is at least that, too", u="[0, 1)"),
        inequality(
            "1 >= u^2/(2*(1 + u))",
            says="below at u = 1: P[X = 0] = e^-lambda; for u > 1 nothing is below 0",
            u="[1, 1]",
        ),
        identity(
            "lam*(t/lam)^2/(2*(1 + t/lam)) = t^2/(2*(lam + t))", says="u = t/lambda", lam="(0, inf)", t="(0, inf)"
        ),
    ),
    argument=(
        "Let u = t/lambda. Above: the exponential form of Markov's inequality at s = ln(1 + u) >= 0 and the generating function give P[X >= lambda + t] <= exp(lambda(e^s - 1) - s(lambda + lambda u)), whose exponent the first step writes as -lambda((1+u) ln(1+u) - u), at most -lambda u^2/(2(1+u)) by the second. Below, for u < 1, the same with "
        "-s = ln(1 - u): third and fourth steps. At u = 1, X <= 0 means X = 0, with probability e^-lambda, and the fifth step applies; for u > 1 X <= lambda - t < 0 is impossible. The last step puts u = t/lambda; the two sides add up to the factor 2."
    ),
    constants=(Constant("2", twin="above, with 1.98 in place of 2", by="1.98"),),
    twins=(
        inequality("(1 + u)*log(1 + u) - u >= u^2/(1.98*(1 + u))", says="above, with 1.98 in place of 2", u="[0, inf)"),
        inequality("(1 + u)*log(1 + u) - u >= u^2/2", says="above, without 1 + u", u="[0, inf)"),
        inequality("(1 - u)*log(1 - u) + u >= u^2/(1.98*(1 + u))", says="below, with 1.98", u="[0, 1)"),
    ),
)
