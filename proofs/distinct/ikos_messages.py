"""Theorem ikos: the number of messages."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import no_constant, smt

STATEMENT = Statement(
    label="thm:ikos",
    where="section 3.1, Theorem ikos, its last sentence",
    kind="theorem",
    printed="Each honest user sends O(sigma + log n) one-bit messages.",
    rests_on=("ikos",),
    steps=(
        no_constant(
            "some constant C bounds the number of messages by C (sigma + log n) for every sigma > 0 and n >= 1",
            smt(
                "1 > C*(1/(2*C) + 0)",
                says="n = 1, sigma = 1/(2C): a user sends at least one message, more than C sigma",
                C="(0, inf)",
            ),
            "C",
        ),
    ),
    why="With one user log n = 0, and sigma may be as small as one likes, but the bit has to be sent.",
    repair=Repair(
        "For n >= 2: at most 5(sigma + log2 n); in general O(1 + sigma + log n).",
        (
            smt("s + L + 3.5 <= 5*(s + L)", says="L = log2 n >= 1", s="(0, inf)", L="[1, inf)"),
            smt("s + L + 3.5 <= 3.5*(1 + s + L)", says="in general", s="(0, inf)", L="[0, inf)"),
        ),
    ),
    survives="Theorem de_upper's number of messages has log(n(e^eps+1)/delta), which is bounded away from 0, and survives.",
    twins=(
        smt("s + L + 3.5 <= 4.4*(s + L)", says="with 4.4", s="(0, inf)", L="[1, inf)"),
        smt("s + L + 3.5 <= 5*(s + L)", says="for n = 1 too", s="(0, inf)", L="[0, inf)"),
    ),
)
