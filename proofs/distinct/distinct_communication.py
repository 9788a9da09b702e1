"""Theorem de_upper, Part III: communication."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality, smt

STATEMENT = Statement(
    label="thm:de_upper",
    where="section 3.1, Theorem de_upper, Part III, and its proof",
    kind="theorem",
    printed="Each user communicates at most O(k log(n(e^eps+1)/delta)) messages of length O(log k).",
    hypotheses=("eps > 0, delta in (0,1)",),
    reading="k >= 2: with one element log k = 0, and a message still carries its bit. sigma is to base 2 (sigma-base), and m is the number of messages of Theorem ikos.",
    rests_on=("ikos", "sigma-base"),
    steps=(
        identity(
            "log((E + 1)/d) + log(n) = log(n*(E + 1)/d)",
            says="sigma + log n = log(n(e^eps+1)/delta), in any base",
            E="(1, inf)",
            d="(0, 1)",
            n="[1, inf)",
        ),
        smt("n*(E + 1)/d > 2", says="so it is above log2(2) = 1", n="[1, inf)", E="(1, inf)", d="(0, 1)"),
        smt("s + 3.5 <= 4.5*s", says="m <= s + 3.5 <= 4.5 s, s = log2(n(e^eps+1)/delta) >= 1", s="[1, inf)"),
        inequality(
            "log(k)/log(2) + 2 <= 3*log(k)/log(2)",
            says="a message has at most log2(k) + 2 <= 3 log2(k) bits",
            k="[2, inf)",
        ),
    ),
    argument=(
        "For each of the k elements a user sends the m messages of ikos, m the least whole number that is at least sigma + log2 n + 5/2, so m <= sigma + log2 n + 3.5 (for n = 1, too: any m hides a "
        "single bit no worse, and this one is taken). With sigma = log2((e^eps+1)/delta) the first three steps give km <= 4.5 k log2(n(e^eps+1)/delta). A message is a label in [k], log2(k) rounded up "
        "bits, and one bit more: at most log2(k) + 2."
    ),
    twins=(
        smt("s + 3.5 <= 4.4*s", says="with 4.4", s="[1, inf)"),
        inequality("log(k)/log(2) + 2 <= 2.9*log(k)/log(2)", says="with 2.9 log2(k)", k="[2, inf)"),
        inequality("log(k)/log(2) + 1 <= 1000*log(k)/log(2)", says="for k = 1 too, with 1000", k="[1, inf)"),
    ),
    constants=(Constant("4.5", twin="with 4.4", by="4.4"), Constant("3", twin="with 2.9 log2(k)", by="2.9")),
    referee="One may object that at k = 1 the length is not O(log k); but an order is about large k, and the reading says so.",
)
