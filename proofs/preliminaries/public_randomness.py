"""Section 2.3: the guarantee is not over the public randomness."""

from __future__ import annotations

from panshuffle.proofs.statement import Statement
from panshuffle.proofs.steps import identity, kernel, smt

STATEMENT = Statement(
    where="section 2.3, Definition (Shuffle Differential Privacy), its last sentence",
    kind="prose",
    printed="R and A have access to public randomness; the privacy guarantee is over the internal randomness of the users' randomizers and not the public randomness.",
    reading="For every fixed value r of the public randomness the view is (eps, delta)-private; then the pair of r and the view is, too, whatever the law of r.",
    steps=(kernel("public-randomness"),),
    twins=(
        smt(
            "w*p <= E*(w1*q) + w*d",
            ("p <= E*q + d", "w1 >= 0.98*w"),
            says="if the law of r depends on the data by two per cent",
            w="[0, 1]",
            w1="[0, 1]",
            p="[0, 1]",
            q="[0, 1]",
            d="[0, 1]",
            E="[1, inf)",
        ),
        identity("w*d + (1 - w)*d = 0.99*d", says="with 0.99 delta", w="[0, 1]", d="[0, 1]"),
    ),
)
