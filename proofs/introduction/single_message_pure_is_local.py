"""Section 1.2, on Balcer and Cheu."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import smt

STATEMENT = Statement(
    where="section 1.2, on Balcer and Cheu",
    kind="prose",
    printed="Any single-message eps-shuffle private protocol is also eps-locally private.",
    reading="eps-local privacy: P[R(x) in T] <= e^eps P[R(x') in T] for all x, x' and T, R being the randomizer that the n users run.",
    steps=(
        smt(
            "p <= E*q",
            ("p*s <= E*(q*s)",),
            says="all n messages in T: p q^(n-1) <= e^eps q^n, s = q^(n-1) > 0",
            p="[0, 1]",
            q="(0, 1]",
            s="(0, 1]",
            E="[1, inf)",
        ),
        smt("p <= 0", ("p <= E*v", "v <= 0"), says="q = 0: some message in T", p="[0, 1]", v="[0, 1]", E="[1, inf)"),
    ),
    argument=(
        "Let user 1 hold x or x' and let everybody else hold x'; p = P[R(x) in T], q = P[R(x') in T]. The event that all n shuffled messages are in T has the "
        "probabilities p q^(n-1) and q^n, because the messages are independent before the shuffle and the event does not depend on their order. If q > 0, privacy "
        "with delta = 0 gives p <= e^eps q. If q = 0, the event that some message is in T has probability p in the first case and 0 in the second, so p = 0."
    ),
    twins=(
        smt(
            "p <= E*q",
            ("p*s <= 1.02*E*(q*s)",),
            says="from a guarantee that is two per cent weaker",
            p="[0, 1]",
            q="(0, 1]",
            s="(0, 1]",
            E="[1, inf)",
        ),
        smt(
            "p <= E*q",
            ("p*s <= E*(q*s) + 1/100",),
            says="with delta = 1/100",
            p="[0, 1]",
            q="(0, 1]",
            s="(0, 1]",
            E="[1, inf)",
        ),
    ),
)
