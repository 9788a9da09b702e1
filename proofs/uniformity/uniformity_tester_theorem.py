"""A tester with a correct threshold and explicit constants.

Y = (m/k) Z' is the sum over j of X_j = (c_j + E_j - mu)^2 - (c_j + E_j), mu = m/k, c_j ~ Pois(nu_j), nu_j = m p_j,
d_j = nu_j - mu, E_j = Bin(L_j, 1/2) - L_j/2, L_j ~ Pois(lambda), all independent.  S = sum of d_j^2.
"""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, moment, smt

LAWS = {"c": "Pois(mu + d)", "X": "Bin(L, 1/2)", "L": "Pois(lam)"}
TERM = "(c + X - L/2 - mu)^2 - (c + X - L/2)"
DOMAIN = {"mu": "[0, inf)", "d": "[0, inf)", "lam": "[0, inf)"}
SIZES = {
    "k": "[1, inf)",
    "r": "[1, inf)",
    "q": "[1, inf)",
    "m": "(0, inf)",
    "a": "(0, 1)",
    "lam": "[1, inf)",
    "s": "[1, inf)",
}
ROOTS = ("r^2 = k", "q^2 = r", "s^2 = lam")
ENOUGH = ("m*a^2 >= 54*r", "m*a >= 4*r*q*s")

STATEMENT = Statement(
    label="thm:ut-upper-bound-prelim",
    where="beside Theorem ut-upper-bound-prelim",
    kind="sharper",
    printed=(
        "Let V0 = k(2(m/k + lambda/4)^2 + 5 lambda/16) and tau = k^2 lambda/(4m) + (k/m) sqrt(2 V0). With n ~ Pois(m) samples, lambda >= 1, "
        "m >= 54 k^(1/2)/alpha^2 and m >= 4 k^(3/4) lambda^(1/2)/alpha, P_UT with this threshold solves alpha-uniformity testing: both errors "
        "are at most 1/3."
    ),
    hypotheses=(
        "alpha in (0,1), k >= 1, lambda >= 1, m > 0",
        "the randomizer appends its data message",
        "all users are honest, and for n = 0 the analyzer adds the noise (no-samples)",
    ),
    rests_on=(
        "cantelli",
        "statistic-mean-far",
        "statistic-decomposition",
        "poisson-sums",
        "uniformity-randomizer-keeps-messages",
    ),
    steps=(
        moment(
            "value = d^2 + lam/4",
            LAWS,
            mean_of=TERM,
            says="E[X_j] = d_j^2 + lambda/4 (as polynomials, so for negative d_j too)",
            **DOMAIN,
        ),
        moment(
            "value = 2*(mu + d)^2 + 4*(mu + d)*d^2 + lam^2/8 + 5*lam/16 + lam*mu + lam*d^2",
            LAWS,
            variance_of=TERM,
            says="Var[X_j] = 2 nu^2 + 4 nu d^2 + lambda^2/8 + 5 lambda/16 + lambda mu + lambda d^2",
            **DOMAIN,
        ),
        identity(
            "2*mu^2 + lam^2/8 + 5*lam/16 + lam*mu = 2*(mu + lam/4)^2 + 5*lam/16",
            says="at d = 0 the sum over j is V0; in general it is at most V0 + (2 + 4 mu + lambda) S + 4 S^(3/2), because sum d_j = 0",
            mu="[0, inf)",
            lam="[0, inf)",
        ),
        identity("v/(v + (sqrt(2*v))^2) = 1/3", says="type I: Cantelli at sqrt(2 V0)", v="(0, inf)"),
        smt(
            "v/(v + t^2) <= 1/3",
            ("t^2 >= 2*v",),
            says="type II: Cantelli at S - sqrt(2 V0) >= sqrt(2 Var)",
            v="(0, inf)",
            t="(0, inf)",
        ),
        smt(
            "S - x >= y",
            ("3*2*x <= S", "y <= x + z + w", "3*z <= S", "3*w <= S"),
            says=(
                "which holds if S >= 6x, 3z and 3w, x = sqrt(2 V0), z = sqrt(2(2 + 4 mu + lambda) S), w = sqrt(8) S^(3/4): "
                "sqrt(2 Var) <= x + z + w"
            ),
            S="(0, inf)",
            x="[0, inf)",
            y="[0, inf)",
            z="[0, inf)",
            w="[0, inf)",
        ),
        smt(
            "2*(A*S)*9 <= S^2", ("S >= 18*A",), says="3z <= S if S >= 18(2 + 4 mu + lambda)", A="(0, inf)", S="(0, inf)"
        ),
        smt(
            "3*h*b^3 <= b^4",
            ("h^2 = 8", "b^4 >= 5184"),
            says="3w <= S if S >= 5184, b = S^(1/4)",
            h="(0, inf)",
            b="(0, inf)",
        ),
        smt(
            "4*a^2*m^2/k >= 18*(2 + 4*m/k + lam)",
            (*ROOTS, *ENOUGH),
            says="S >= 4 alpha^2 m^2/k is at least 18(2 + 4 mu + lambda)",
            **SIZES,
        ),
        smt("4*a^2*m^2/k >= 5184", (*ROOTS, *ENOUGH), says="and at least 5184", **SIZES),
        smt(
            "4*a^2*m^2/k >= 6*r*(2*m/k + lam/2 + s)",
            (*ROOTS, *ENOUGH),
            says="and at least 6 sqrt(k)(2 mu + lambda/2 + sqrt(lambda))",
            **SIZES,
        ),
        smt(
            "2*(2*(mu + lam/4)^2 + 5*lam/16) <= (2*mu + lam/2 + s)^2",
            ("s^2 = lam",),
            says="which is at least 6 sqrt(2 V0), squared and divided by 36 k",
            mu="[0, inf)",
            lam="[1, inf)",
            s="[1, inf)",
        ),
    ),
    twins=(
        moment(
            "value = d^2 + lam/2",
            LAWS,
            mean_of=TERM,
            says="with lambda/2 in the mean, as in the printed threshold",
            **DOMAIN,
        ),
        smt(
            "4*a^2*m^2/k >= 5184",
            (*ROOTS, "m*a^2 >= 35*r", "m*a >= 4*r*q*s"),
            says="with m >= 35 k^(1/2)/alpha^2",
            **SIZES,
        ),
        smt(
            "4*a^2*m^2/k >= 18*(2 + 4*m/k + lam)",
            (*ROOTS, "m*a^2 >= 10*r", "m*a >= 4*r*q*s"),
            says="with m >= 10 k^(1/2)/alpha^2",
            **SIZES,
        ),
    ),
)
