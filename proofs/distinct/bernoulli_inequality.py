"""Section 3.1, Case 1: a variant of Bernoulli's inequality."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import derivative, inequality, kernel

STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper, Case 1",
    kind="step",
    printed="For x >= -1 and r in [0,1]: (1+x)^r <= 1 + xr.",
    reading="At x = -1, r = 0 the left side is 0^0 = 1.",
    steps=(kernel("paper-bernoulli-variant"),),
    also=(
        inequality("(1 + x)^r <= 1 + x*r", says="by balls, for x > -1", x="(-1, inf)", r="[0, 1]"),
        derivative("log(1 + x*r) - r*log(1 + x)", "r", "x/(1 + x*r) - log(1 + x)", x="(-1, inf)", r="[0, 1]"),
        derivative(
            "x/(1 + x*r) - log(1 + x)",
            "r",
            "-(x/(1 + x*r))^2",
            says="log(1+xr) - r log(1+x) is concave in r, and 0 at r = 0 and r = 1",
            x="(-1, inf)",
            r="[0, 1]",
        ),
    ),
    constants=(Constant("1", twin="with 0.98 xr", by="0.98"),),
    twins=(
        inequality("(1 + x)^r <= 1 + 0.98*x*r", says="with 0.98 xr", x="(-1, 3]", r="(0, 1]"),
        inequality("(1 + x)^r <= 1 + x*r", says="for r up to 1.05", x="(-1, 3]", r="(0, 1.05]"),
    ),
)
