"""More honest users: eps' falls as gamma grows."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import derivative, inequality, kernel

STATEMENT = Statement(
    where="section 3.1, proof of Theorem de_upper: robust privacy is for all gamma' >= gamma, the proof is for gamma",
    kind="step",
    printed="We will show that S o R_DE^(gamma n) is differentially private: it is enough to treat gamma n users.",
    reading="Robust privacy asks for gamma' n users, for every gamma' >= gamma. That the case gamma is enough is not argued: eps' = ln(1/(1 - (1 - e^-eps)^gamma)) does not grow with gamma.",
    steps=(kernel("eps-prime-decreases"),),
    twins=(
        inequality(
            "-log(1 - (1 - exp(-e))^(g/1.02)) <= -log(1 - (1 - exp(-e))^g)",
            says="with two per cent fewer users the loss does not grow",
            e="[1/10, 2]",
            g="[1/2, 1]",
        ),
        derivative(
            "-log(1 - q^g)",
            "g",
            "q^g*log(q)",
            says="the derivative without its denominator",
            q="(0, 1)",
            g="(0, 1]",
        ),
    ),
)
