"""Theorem zerocount-pan: the error."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel, no_constant, smt

LEAST = "20*((exp(e) + 1)/(exp(e) - 1))^2*log(2/d)"

STATEMENT = Statement(
    label="theorem:zerocount-pan",
    where="section 5, Theorem zerocount-pan, error; the same sentence in Theorem hist-pan",
    kind="theorem",
    printed="Given eps > 0, delta in (0,1) and lambda >= 20 c^2 ln(2/delta), c = (e^eps+1)/(e^eps-1), Q_ZSUM computes binary sums with error at most 2 lambda = O((1/eps^2) log(1/delta)).",
    reading="The order is that of the least lambda allowed, for eps = O(1) and delta bounded away from 1, as Figure 1 says (eps = O(1), delta < 1/n). For eps going to infinity c does not go to 0, and for delta going to 1 ln(2/delta) does not: the twins.",
    steps=(
        kernel("paper-thm-zerocount-pan"),
        kernel("paper-thm-zerocount-pan-order"),
    ),
    constants=(
        Constant("2.17", twin="c <= 2.1/eps for eps <= 1", by="2.1"),
        Constant("2", twin="error 1.99 lambda", by="1.99"),
    ),
    twins=(
        smt(
            "a + b <= 1.99*lam",
            ("a <= lam", "b <= lam"),
            says="error 1.99 lambda",
            a="[0, inf)",
            b="[0, inf)",
            lam="[1, inf)",
        ),
        inequality("(exp(e) + 1)/(exp(e) - 1) <= 2.1/e", says="c <= 2.1/eps for eps <= 1", e="(0, 1]"),
        inequality(f"2*{LEAST} <= 380/e^2*log(1/d)", says="with 380 for delta up to 9/10", e="(0, 1]", d="(0, 9/10]"),
        no_constant(
            "for every eps > 0: some constant C bounds the least 2 lambda, 40 c^2 ln(2/delta), by (C/eps^2) ln(1/delta)",
            inequality(
                "40*((exp(C) + 1)/(exp(C) - 1))^2*log(4) > log(2)/C",
                says="at eps = C and delta = 1/2 the least 2 lambda, 40 c^2 ln 4, is above (C/eps^2) ln 2 = ln 2/C, for every C >= 1",
                C="[1, inf)",
            ),
            "C",
        ),
    ),
)
