"""Lemma b_noise, its last sentence: the error."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import inequality, kernel, kernel_refutation

MEAN = "10*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)"

STATEMENT = Statement(
    label="lem:b_noise",
    where="section 2.1, Lemma (Binomial Mechanism), its last sentence",
    kind="lemma",
    printed="Fix any l, p, eps, delta with l min(p,1-p) >= 10 c^2 ln(2/delta). The algorithm that outputs f(x) + Bin(l, p) has error O((1/eps) sqrt(log(1/delta))).",
    steps=(
        kernel_refutation(
            "paper-lem-b-noise-error",
            "eps = 1, delta = p = 1/2 and any l that the lemma allows: the variance l/4 grows with l, so no constant C bounds its root by (C/eps) sqrt(ln(1/delta))",
        ),
    ),
    why="The algorithm outputs f(x) + Bin(l, p) without taking off the mean lp >= 10 c^2 ln(2/delta) >= 40 ln(2/delta)/eps^2: for the constant C, eps = 1/C is a witness. And l is any "
    "number above a bound: after taking off the mean the error is of the order sqrt(l p (1-p)), which grows with l, so the sentence is meant for the least l only.",
    severity="false",
    referee="One may object that the least l and an estimate less its mean are meant; but 'Fix any l' and 'outputs f(x) + eta' are printed, and the repair is that reading.",
    repair=Repair(
        "After taking off lp, with the least l that the lemma allows and eps <= 1, delta <= 1/2, the standard deviation is at most (10/eps) sqrt(ln(1/delta)).",
        (kernel("paper-lem-b-noise-error-repaired"),),
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
