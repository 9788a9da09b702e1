"""Lemma b_noise, its last sentence: the error."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import inequality, no_constant

MEAN = "10*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)"

STATEMENT = Statement(
    label="lem:b_noise",
    where="section 2.1, Lemma (Binomial Mechanism), its last sentence",
    kind="lemma",
    printed="The error is O((1/eps) sqrt(log(1/delta))).",
    steps=(
        no_constant(
            "some constant C bounds the mean of the noise, at least 10 c^2 ln(2/delta), by (C/eps) sqrt(ln(1/delta))",
            inequality(
                "10*((exp(u) + 1)/(exp(u) - 1))^2*log(4) > sqrt(log(2))/u^2",
                says="at eps = u = 1/C and delta = 1/2 the mean, at least 10 c^2 ln 4, is above (C/eps) sqrt(ln 2) = sqrt(ln 2)/u^2, for every C >= 1",
                u="(0, 1]",
            ),
            "u",
            toward="0",
        ),
    ),
    why=(
        "The algorithm outputs f(x) + Bin(l, p) without taking off the mean lp >= 10 c^2 ln(2/delta) >= 40 ln(2/delta)/eps^2. "
        "No constant helps: for the constant C, eps = 1/C is a witness."
    ),
    repair=Repair(
        "After taking off lp, with the least l that the lemma allows and eps <= 1, delta <= 1/2, the standard deviation is "
        "at most (10/eps) sqrt(ln(1/delta)).",
        (
            inequality(
                "(exp(e) + 1)/(exp(e) - 1) >= 2/e", says="the mean is at least 40 ln(2/delta)/eps^2", e="(0, inf)"
            ),
            inequality("(exp(e) + 1)/(exp(e) - 1) <= 2.2/e", says="c <= 2.2/eps", e="(0, 1]"),
            inequality("log(2/d) <= 2*log(1/d)", says="ln(2/delta) <= 2 ln(1/delta)", d="(0, 1/2]"),
            inequality(
                "10*2.2^2*2*x + 1 <= 100*x",
                says="lp(1-p) <= 10 c^2 ln(2/delta) + 1 <= (100/eps^2) ln(1/delta), with x = ln(1/delta) and eps <= 1",
                x="[log(2), inf)",
            ),
        ),
    ),
    survives="The privacy of the lemma is not touched; the error claims of section 2.3 use the de-biased output.",
    twins=(
        inequality(
            f"{MEAN} <= 40/e^2*log(2/d)",
            says="with the mean's own order, but its constant 40",
            e="(0, 1]",
            d="(0, 1/2]",
        ),
        inequality(f"{MEAN} <= 48/e*log(2/d)", says="with log in place of its root", e="(0, 1]", d="(0, 1/2]"),
    ),
)
