"""Corollary on P_HDE, Part III: communication."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import inequality, smt

STATEMENT = Statement(
    where="Appendix A.2, Corollary on P_HDE, Part III; section 3.1, the small-n setting",
    kind="corollary",
    printed="P_HDE requires each user to communicate at most O(n^(4/3) log(n(e^eps+1)/delta)) messages of length O(log n).",
    reading="c >= 1 is a constant, as the corollary says, and n >= 2: with one user log n = 0, and a message still carries its bit.",
    rests_on=("distinct-communication",),
    steps=(
        smt("c*x + 1 <= 2*c*x", says="k' <= c n^(4/3) + 1 <= 2c n^(4/3), x = n^(4/3)", c="[1, inf)", x="[1, inf)"),
        smt(
            "4.5*(2*c*x)*s = 9*c*x*s",
            says="4.5 k' s <= 9c n^(4/3) s messages, s = log2(n(e^eps+1)/delta)",
            c="[1, inf)",
            x="[1, inf)",
            s="[1, inf)",
        ),
        smt(
            "l + 1 + 4/3*L + 2 <= (l + 13/3)*L",
            says="log2(2c n^(4/3)) + 2 = log2 c + 1 + (4/3) log2 n + 2 bits are at most (log2 c + 13/3) log2 n; l = log2 c, L = log2 n",
            l="[0, inf)",
            L="[1, inf)",
        ),
    ),
    argument=(
        "P_HDE is P_DE on the domain [k'], k' = c n^(4/3) rounded up. In distinct-communication with k' in place of k: 4.5 k' log2(n(e^eps+1)/delta) messages, at most 9c n^(4/3) log2(n(e^eps+1)/delta) by the first two steps, each of at most "
        "log2(k') + 2 bits, the third."
    ),
    twins=(
        smt("c*x + 1 <= 1.99*c*x", says="with 1.99c n^(4/3)", c="[1, inf)", x="[1, inf)"),
        smt("l + 1 + 4/3*L + 2 <= (l + 4.3)*L", says="with log2 c + 4.3", l="[0, inf)", L="[1, inf)"),
        inequality("log(n) >= 0.01", says="for n = 1 too: log n is bounded away from 0", n="[1, inf)"),
    ),
    constants=(
        Constant("9", slack="twice 4.5; only k' <= 2c n^(4/3) is used, tight at n = c = 1"),
        Constant("13/3", twin="with log2 c + 4.3", by="4.3"),
    ),
    referee="One may object that at n = 1 the length is not O(log n); but an order is about large n, and the reading says so.",
)
