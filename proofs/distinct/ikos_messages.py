"""Theorem ikos: the number of messages."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, no_constant, smt

STATEMENT = Statement(
    label="thm:ikos",
    where="section 3.1, Theorem ikos, its last sentence, and section 3.1, Communication (III)",
    kind="theorem",
    printed="Each honest user sends O(sigma + log n) one-bit messages.",
    reading="n >= 2: the sentence belongs to one about two or more honest users.",
    steps=(kernel("paper-thm-ikos"),),
    twins=(
        smt("s + L + 3.5 <= 4.4*(s + L)", says="with 4.4", s="(0, inf)", L="[1, inf)"),
        no_constant(
            "for n = 1 too: some constant C bounds the number of messages by C (sigma + log n) for every sigma > 0",
            smt(
                "1 > C*(1/(2*C) + 0)",
                says="n = 1, sigma = 1/(2C): a user sends at least one message, more than C sigma",
                C="(0, inf)",
            ),
            "C",
        ),
    ),
    constants=(Constant("4.5", twin="with 4.4", by="4.4"),),
    referee="One may object that with one user log n = 0, and sigma may be small; but the theorem speaks of two or more users, and a twin shows that this is needed.",
)
