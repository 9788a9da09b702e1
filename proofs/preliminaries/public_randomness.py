"""Section 2.3: the guarantee is not over the public randomness."""

from __future__ import annotations

from proofs.statement import Statement
from proofs.steps import identity, smt

STATEMENT = Statement(
    where="section 2.3, Definition (Shuffle Differential Privacy), its last sentence",
    kind="prose",
    printed="R and A have access to public randomness; the privacy guarantee is over the internal randomness of the users' randomizers and not the public randomness.",
    reading="For every fixed value r of the public randomness the view is (eps, delta)-private; then the pair of r and the view is, too, whatever the law of r.",
    steps=(
        smt(
            "w*p <= E*(w*q) + w*d",
            ("p <= E*q + d",),
            says="the inequality at one value of r, times its probability w",
            w="[0, 1]",
            p="[0, 1]",
            q="[0, 1]",
            d="[0, 1]",
            E="[1, inf)",
        ),
        identity(
            "w*d + (1 - w)*d = d",
            says="the probabilities add up to 1, so the deltas add up to delta",
            w="[0, 1]",
            d="[0, 1]",
        ),
    ),
    argument=(
        "Let T be a set of pairs (r, view) and T_r its section. P[(r, view(x)) in T] is the mean over r of P[view_r(x) in T_r], each at most e^eps P[view_r(x') in T_r] + delta; the law of r does "
        "not depend on the data, so the mean of the right side is e^eps P[(r, view(x')) in T] + delta."
    ),
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
