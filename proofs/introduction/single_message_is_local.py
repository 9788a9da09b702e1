"""Section 1.2, on Cheu, Smith, Ullman, Zeber, Zhilyaev."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import identity, kernel, smt

STATEMENT = Statement(
    where="section 1.2, on Cheu, Smith, Ullman, Zeber, Zhilyaev",
    kind="prose",
    printed="Any single-message (eps, delta)-shuffle private protocol on n users also grants (eps + ln n, delta)-local privacy.",
    reading="(eps, delta)-local privacy: P[R(x) in T] <= e^eps P[R(x') in T] + delta for all x, x' and T, R being the randomizer that the n users run.",
    steps=(kernel("single-message-local"),),
    twins=(
        smt(
            "p <= E*n*q + d",
            ("p <= u", "u <= E*v + d", "v <= 1.02*n*q"),
            says="with a union bound of 1.02 n q",
            p="[0, 1]",
            q="[0, 1]",
            u="[0, 1]",
            v="[0, 1]",
            d="[0, 1]",
            E="[1, inf)",
            n="[1, inf)",
        ),
        identity("exp(e + log(n)) = exp(e)*(n - 1)", says="with ln(n - 1)", e="[0, inf)", n="[2, inf)"),
    ),
)
