"""Lemma b_noise, its last sentence: the error."""

from __future__ import annotations

from proofs.statement import Constant, Repair, Statement
from proofs.steps import inequality, no_constant

MEAN = "10*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)"

STATEMENT = Statement(
    label="lem:b_noise",
    where="section 2.1, Lemma (Binomial Mechanism), its last sentence",
    kind="lemma",
    printed="Fix any l, p, eps, delta with l min(p,1-p) >= 10 c^2 ln(2/delta). The algorithm that outputs f(x) + Bin(l, p) has error O((1/eps) sqrt(log(1/delta))).",
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
        no_constant(
            "some constant C bounds the standard deviation of the noise by (C/eps) sqrt(ln(1/delta)) for every l that the lemma allows",
            inequality(
                "(C^2 + 33)*4*(1/2)*(1/2) > C^2*log(2)",
                says="at eps = 1, delta = p = 1/2 and l = 4(C^2 + 33), which the lemma allows, the variance l/4 is above C^2 ln 2, for every C",
                C="(0, inf)",
            ),
            "C",
        ),
    ),
    why=(
        "The algorithm outputs f(x) + Bin(l, p) without taking off the mean lp >= 10 c^2 ln(2/delta) >= 40 ln(2/delta)/eps^2: for the constant C, eps = 1/C is a witness. And l is any "
        "number above a bound: after taking off the mean the error is of the order sqrt(l p (1-p)), which grows with l, so the sentence is meant for the least l only."
    ),
    severity="false",
    referee="One may object that the least l and an estimate less its mean are meant; but 'Fix any l' and 'outputs f(x) + eta' are printed, and the repair is that reading.",
    repair=Repair(
        "After taking off lp, with the least l that the lemma allows and eps <= 1, delta <= 1/2, the standard deviation is at most (10/eps) sqrt(ln(1/delta)).",
        (
            inequality(
                "20*((exp(1) + 1)/(exp(1) - 1))^2*log(4) < 4*33",
                says="eps = 1, delta = p = 1/2: l >= 4 * 33 is allowed",
            ),
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
        argument=(
            "The least l has (l - 1) min(p,1-p) < 10 c^2 ln(2/delta), so the variance lp(1-p) <= l min(p,1-p) is below 10 c^2 ln(2/delta) + 1. With c <= 2.2/eps, "
            "ln(2/delta) <= 2 ln(1/delta) and 1 <= 1/eps^2 the last step bounds it by (100/eps^2) ln(1/delta); the standard deviation is its root."
        ),
    ),
    survives="The privacy of the lemma is not touched; the error claims of section 2.3 are about a de-biased output.",
    twins=(
        inequality("10*2.2^2*2*x + 1 <= 98*x", says="the repair with the root of 98", x="[log(2), inf)"),
        inequality(
            f"{MEAN} <= 40/e^2*log(2/d)", says="the mean is at most 40 ln(2/delta)/eps^2", e="(0, 1]", d="(0, 1/2]"
        ),
        inequality(f"{MEAN} <= 48/e*log(2/d)", says="with log in place of its root", e="(0, 1]", d="(0, 1/2]"),
    ),
    constants=(Constant("10", twin="the repair with the root of 98", by="9.9"),),
)
