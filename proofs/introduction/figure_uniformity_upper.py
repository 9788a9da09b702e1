"""Figure 1, robust shuffle, uniformity testing, upper bound."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import inequality, smt

STATEMENT = Statement(
    where="Figure 1, robust shuffle, uniformity testing, upper bound",
    kind="figure",
    printed=(
        "Robust shuffle, alpha-uniformity testing: O([k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + sqrt(k)/(alpha eps)] sqrt(log(k/delta))) samples, "
        "for eps = O(1) and delta < 1/n < eps."
    ),
    reading="There is a protocol: the repaired one; n >= 2, so that delta < 1/2; (eps, delta) is the robust loss at a fixed gamma, which the constant may depend on.",
    rests_on=("compressed-tester",),
    steps=(
        inequality(
            "log(u) >= log(2)",
            says="u = k/delta >= 2 for delta < 1/2: the logarithm is bounded away from 0",
            u="[2, inf)",
        ),
        inequality(
            "log(8*u) <= 4*log(u)",
            says="ln(8k/delta) <= 4 ln(k/delta)",
            u="[2, inf)",
        ),
        smt(
            "u + v <= 4/g*u",
            ("v <= 3*u",),
            says="so with delta' = (delta/8)^(1/gamma), ln(k/delta') <= (1/gamma) ln(8k/delta) <= (4/gamma) ln(k/delta)",
            u="(0, inf)",
            v="[0, inf)",
            g="(0, 1]",
        ),
    ),
    argument=(
        "compressed-tester is (2 eps', 8 delta'^gamma, gamma)-robustly private; eps' = eps/2 and delta' = (delta/8)^(1/gamma) make that (eps, delta). Its number of "
        "samples changes by a constant factor in eps, and ln(k/delta') <= (1/gamma) ln(8k/delta), because k >= 1, which is at most (4/gamma) ln(k/delta)."
    ),
    twins=(
        inequality("log(u) >= log(2)", says="for delta up to 0.51", u="[1/0.51, inf)"),
        inequality("log(8*u) <= 3.9*log(u)", says="with 3.9", u="[2, inf)"),
    ),
)
