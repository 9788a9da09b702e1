"""Appendix A.1: proofs for section 3.1."""

from __future__ import annotations

from panshuffle.proofs.section_3_1 import EXPONENTS
from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import derivative, identity, induction, inequality, smt, theorems

distinct_ber_lines = Statement(
    where="Appendix A.1, proof of Lemma distinct-ber",
    printed=r"With $Y_{i} = 1 - 2X_{i}$ and $Y$ their product: $P[X = 1] = P[Y = -1] = \frac{1 - E[Y]}{2}$, and $E[Y]$ = product of $E[Y_{i}]$ = product of $(1 - "
    r"2E[X_{i}]) = (1 - 2p')^{\gamma n}$, so $P[X = 1] = \frac{1 - (1-2p')^{\gamma n}}{2}$, and the value of $p'$ gives the result.",
    reading="'$Y$ = prod' without its factor is the product of the $Y_{i}$.",
    covers=("display-42", "display-43"),
    for_all="p, x in [0, 1]; y in [-1, 1]",
    steps=(
        smt(
            "p = (1 - y)/2",
            ("y = (1 - p) - p",),
            says=r"$Y = 1 - 2X$ is $-1$ with probability $p = P[X = 1]$ and 1 otherwise: $P[X = 1] = \frac{1 - E[Y]}{2}$",
        ),
        identity(
            "1 - 2*(x*(1 - y) + (1 - x)*y) = (1 - 2*x)*(1 - 2*y)",
            says="the sum mod 2 of two independent bits has the product of the signs, and the means multiply",
            y="[0, 1]",
        ),
        induction(
            "(1 - 2*p)^n",
            first="1 - 2*p",
            step="previous*(1 - 2*p)",
            start=1,
            says=r"$E[Y] = (1 - 2p')^{\gamma n}$, bit by bit, for $p' < 1/2$; at $1/2$ it is 0",
            p="[0, 1/2)",
        ),
        EXPONENTS,
    ),
    kernel=theorems("distinct-ber-lines", "paper-lem-distinct-ber"),
    near_misses=identity(
        "1 - 2*(x + y - x*y) = (1 - 2*x)*(1 - 2*y)", says="The OR of two bits has the product of the signs.", y="[0, 1]"
    ),
)


SCALED_RATIO = "g*(2^g/(2^g - 1))"

distinct_gamma_derivative = Statement(
    where="Appendix A.1, proof of Lemma distinct-gamma",
    printed=r"The first derivative of $\gamma$ $\frac{2^{\gamma}}{2^{\gamma}-1}$ is $\frac{2^{\gamma} (2^{\gamma} - \gamma \ln 2 - 1)}{(2^{\gamma}-1)^{2}}$, and "
    r"$2^{\gamma} - \gamma \ln 2 - 1 \ge 0$, with derivative $(2^{\gamma} - 1) \ln 2 \ge 0$.",
    hypotheses=(r"$0 < \gamma \le 1$",),
    covers=("display-44",),
    for_all="g in (0, 1]",
    steps=(
        derivative(SCALED_RATIO, "g", "2^g*(2^g - g*log(2) - 1)/(2^g - 1)^2", says=r"the first derivative"),
        derivative("2^g - g*log(2) - 1", "g", "(2^g - 1)*log(2)", says="the derivative of its factor", g="[0, 1]"),
        inequality("(2^g - 1)*log(2) >= 0", says="which is not negative", g="[0, 1]"),
        inequality("2^g - g*log(2) - 1 >= 0", says="and so is the factor, by balls", g="[0, 1]"),
    ),
    kernel=theorems("gamma-derivative"),
    near_misses=derivative(
        SCALED_RATIO,
        "g",
        "2^g*(2^g - g*log(2) - 1)/(2^g - 1)",
        says="The derivative is the printed one without the square in its denominator.",
    ),
)
