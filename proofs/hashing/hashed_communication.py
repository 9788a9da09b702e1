"""Corollary on P_HDE, Part III: communication."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import inequality, kernel, smt

STATEMENT = Statement(
    where="Appendix A.2, Corollary on P_HDE, Part III; section 3.1, the small-n setting",
    kind="corollary",
    printed="P_HDE requires each user to communicate at most O(n^(4/3) log(n(e^eps+1)/delta)) messages of length O(log n).",
    reading="c >= 1 is a constant, as the corollary says, and n >= 2: with one user log n = 0, and a message still carries its bit.",
    steps=(
        kernel("paper-cor-hde-iii"),
        kernel("hashed-message-bits"),
    ),
    twins=(
        smt("c*x + 1 <= 1.99*c*x", says="with 1.99c n^(4/3)", c="[1, inf)", x="[1, inf)"),
        inequality("log(n) >= 0.01", says="for n = 1 too: log n is bounded away from 0", n="[1, inf)"),
    ),
    referee="One may object that at n = 1 the length is not O(log n); but an order is about large n, and the reading says so.",
)
