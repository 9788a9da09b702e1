"""Theorem de_upper, Part III: communication."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import inequality, kernel

STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, Theorem de_upper, Part III, and its proof",
    kind="theorem",
    printed="Each user communicates at most O(k log(n(e^eps+1)/delta)) messages of length O(log k).",
    hypotheses=("eps > 0, delta in (0,1)",),
    reading="k >= 2: with one element log k = 0, and a message still carries its bit. A message is one of 2k, a label and a bit; m is the number of messages of Theorem ikos, with 2^-sigma = delta/(e^eps+1).",
    steps=(
        kernel("paper-thm-de-upper-iii"),
        kernel("message-bits"),
    ),
    twins=(
        inequality("log(k)/log(2) + 2 <= 2.9*log(k)/log(2)", says="with 2.9 log2(k)", k="[2, inf)"),
        inequality("log(k)/log(2) + 1 <= 1000*log(k)/log(2)", says="for k = 1 too, with 1000", k="[1, inf)"),
    ),
    constants=(Constant("3", twin="with 2.9 log2(k)", by="2.9"),),
    referee="One may object that at k = 1 the length is not O(log k); but an order is about large k, and the reading says so.",
)
