"""Case 2 of the tester: the first line of the lower bound on Z'."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, smt

EVENTS = {"z": "[0, 1/50]", "a": "[0, 1/50]", "c": "[0, 1/50]", "l": "[0, 1/50]", "b": "[0, 1/2]"}

STATEMENT = Statement(
    label="eq:z'-lower",
    where="section 4.1.1, Case 2, the first line of the display with Equation z'-lower",
    kind="display",
    printed=(
        "Except with probability at most 1/2 + 4/50 = 29/50: Z' > E[Z] - sqrt(E[Z]^2/100 * 50) + k/(4m) sum l_j - sqrt(k^2/(8m^2) sum l_j^2 * 50) - sqrt(k^2/(4m^2) sum l_j * 50)."
    ),
    reading="m is so large that Var[Z] <= E[Z]^2/100 holds, m >= 800 sqrt(k)/alpha^2: it is one of the bounds that the line is derived from.",
    rests_on=(
        "chebyshev",
        "noise-moments",
        "statistic-variance-far",
        "symmetric-half",
        "scale-concentration",
        "statistic-decomposition",
    ),
    steps=(
        identity("1/2 + 4/50 = 29/50", says="1/2 + 4/50 = 29/50"),
        smt("z + a + c + l + b <= 29/50", says="the union bound over five events", **EVENTS),
    ),
    argument=(
        "Z' = Z + A + B - C. Given the l_j, Chebyshev's inequality with 50 times the variance says that Z and A are above their means less the root of 50 times their variances, and C below that root, each except with probability 1/50 (a part without variance is its mean; Z has one, so the inequality is strict). B >= 0 except with probability 1/2, because B is symmetric. The fourth fiftieth is the event "
        "that some l_j is above 2 lambda, which the next lines of the display use. Insert E[A] = k/(4m) sum l_j and the bounds on the variances."
    ),
    constants=(Constant("29", twin="except with probability 28/50", by="28"),),
    twins=(
        smt("z + a + c + l + b <= 28/50", says="except with probability 28/50", **EVENTS),
        identity("1/2 + 4/50 = 30/50", says="with 30/50"),
    ),
)
