"""Theorem de_upper, Part I: where its second bound is better than its first."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import derivative, inequality

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed=(
        "2 eps^gamma/gamma, printed for eps <= ln 2, is below eps + ln(1/gamma) for no gamma in (0,1] if 0.07 <= eps <= ln 2; at eps = 0.068 "
        "and gamma = 0.77 it is. So the second bound matters for eps below 0.07 only."
    ),
    steps=(
        derivative(
            "2*e^g/g - e + log(g)",
            "e",
            "2*e^(g - 1) - 1",
            says="the difference of the two bounds, as a function of eps",
            e="(0, log(2)]",
            g="(0, 1]",
        ),
        inequality("2*y - 1 > 0", says="grows with eps: y = eps^(gamma-1) is at least 1 for eps <= 1", y="[1, inf)"),
        inequality("(g - 1)*log(e) >= 0", says="ln y = (gamma-1) ln eps", e="(0, log(2)]", g="(0, 1]"),
        inequality(
            "2*0.07^g/g >= 0.07 - log(g)",
            says="and is not negative at eps = 0.07, for every gamma >= 1/10",
            g="[1/10, 1]",
        ),
        inequality("2*0.07^g >= 3/2", says="for gamma <= 1/10 the second bound is at least 3/(2 gamma)", g="[0, 1/10]"),
        inequality("3/2 >= 0.07*g - g*log(g)", says="which is at least 0.07 + ln(1/gamma)", g="(0, 1/10]"),
        inequality("2*0.068^0.77/0.77 < 0.068 - log(0.77)", says="at eps = 0.068, gamma = 0.77 the second is better"),
    ),
    argument=(
        "2 eps^gamma/gamma - (eps - ln gamma) grows with eps on (0, ln 2] by the first three steps, and is at least 0 at eps = 0.07 by the next three, so it is "
        "for all larger eps <= ln 2; the last step is a point below."
    ),
    twins=(
        inequality("2*0.068^g/g >= 0.068 - log(g)", says="from eps = 0.068 on", g="[1/10, 1]"),
        inequality("2*0.071^0.77/0.77 < 0.071 - log(0.77)", says="at eps = 0.071, gamma = 0.77"),
    ),
    constants=(Constant("0.07", twin="from eps = 0.068 on", by="0.068"),),
)
