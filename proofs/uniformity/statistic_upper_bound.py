"""Equation z'-upper: the bound on Z' under the uniform law."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, smt

POSITIVE = {"k": "[1, inf)", "m": "(0, inf)", "lam": "[1, inf)"}

STATEMENT = Statement(
    label="eq:z'-upper",
    where="section 4.1.1, Case 1, Equation z'-upper",
    kind="display",
    printed=(
        "For D = U, from the bounds of the Equations ex to var-uniform and scale-concentration, except with probability 5/50 = 1/10: Z' < 3 alpha^2 m/250 + k^2 lambda/2m + 5k^(3/2) lambda/m + 10 k lambda^(1/2)/m^(1/2) + "
        "5k^(3/2) lambda^(1/2)/m, by Chebyshev for Z, A, B, C and l_j <= 2 lambda."
    ),
    covers=("eq:z'-upper",),
    rests_on=(
        "chebyshev",
        "noise-moments",
        "statistic-moments-uniform",
        "statistic-variance-uniform",
        "scale-concentration",
        "statistic-decomposition",
    ),
    reading="m is so large that the bound on Var[Z] holds, m >= 1000 sqrt(k)/alpha^2: it is one of the bounds that the line is derived from.",
    steps=(
        identity("1/500 + sqrt(50/500000) = 3/250", says="Z: 1/500 + 1/100 = 3/250"),
        identity("sqrt(50/8) = 5/2", says="A: sqrt(50/8) = 5/2"),
        identity("sqrt(50/4) = 5/sqrt(2)", says="C: sqrt(50)/2 = 5/sqrt(2)"),
        identity("k/(4*m)*(k*2*lam) = k^2/(2*m)*lam", says="A with l_j <= 2 lambda: the mean", **POSITIVE),
        identity(
            "5*k/(2*m)*sqrt(k*(2*lam)^2) = 5*k^(3/2)/m*lam", says="A with l_j <= 2 lambda: the deviation", **POSITIVE
        ),
        identity("sqrt(50*k/m*(k*2*lam)) = 10*k/m^(1/2)*lam^(1/2)", says="B with l_j <= 2 lambda", **POSITIVE),
        identity("5*k/(sqrt(2)*m)*sqrt(k*2*lam) = 5*k^(3/2)/m*lam^(1/2)", says="C with l_j <= 2 lambda", **POSITIVE),
        smt(
            "p1 + p2 + p3 + p4 + p5 <= 1/10",
            ("p1 <= 1/50", "p2 <= 1/50", "p3 <= 1/50", "p4 <= 1/50", "p5 <= 1/50"),
            says="the union bound",
            p1="[0, 1]",
            p2="[0, 1]",
            p3="[0, 1]",
            p4="[0, 1]",
            p5="[0, 1]",
        ),
    ),
    argument=(
        "Z' = Z + A + B - C. Given the l_j, Chebyshev's inequality with 50 times the variance says that each of Z, A, B and -C is below its mean plus the root of 50 times its variance, each except with probability 1/50 (a part without variance is its mean). The fifth event is that some l_j is above 2 lambda. Off these five events, in all of probability at most 5/50, insert the bounds of "
        "the equations, and l_j <= 2 lambda, so that sum l_j <= 2 k lambda and sum l_j^2 <= k (2 lambda)^2: the steps, term by term."
    ),
    constants=(
        Constant("3/250", twin="Z with 0.0117", by="0.0117"),
        Constant("10", twin="B with 9.9", by="9.9"),
        Constant(
            "5", slack="the two 5 are sqrt(50/8) * 2 and sqrt(50/4) * sqrt(2), equalities that the identities decide"
        ),
    ),
    twins=(
        identity("1/500 + sqrt(50/500000) = 0.0117", says="Z with 0.0117"),
        identity("sqrt(50*k/m*(k*2*lam)) = 9.9*k/m^(1/2)*lam^(1/2)", says="B with 9.9", **POSITIVE),
    ),
)
