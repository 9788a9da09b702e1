"""Lemma de-lower-bound-pan-2, its proof: composition across 1/eps copies."""

from __future__ import annotations

from proofs.statement import Repair, Statement
from proofs.steps import inequality, smt

# Three datasets x0, x1, x2, each a neighbour of the next; P0, P1, P2 are the probabilities of one event.
CHAIN = ("p1 <= E*p2 + d", "p0 <= E*p1 + d")
RANGE = {"p0": "[0, 1]", "p1": "[0, 1]", "p2": "[0, 1]", "d": "(0, 1)", "E": "(1, inf)"}

STATEMENT = Statement(
    label="lem:de-lower-bound-pan-2",
    where="section 3.2, proof of Lemma de-lower-bound-pan-2: 'by composition across the 1/eps copies ... (1, delta/eps)'",
    kind="step",
    printed="If Q is (eps, delta)-private, changing 1/eps elements at once is (1, delta/eps)-private. (Here 1/eps = 2; E = e^eps.)",
    steps=(
        inequality(
            "exp(1/2)*(exp(1/2)*p + d) + d <= exp(1)*p + 2*d",
            says="eps = 1/2, with P2 = p, P1 = e^eps p + delta and P0 = e^eps P1 + delta, which (eps, delta)-privacy allows: P0 <= e P2 + 2 delta",
            p="[0, 1/5]",
            d="(0, 1/16]",
        ),
    ),
    why=(
        "This is group privacy, not composition: the copies are changes of one input, and delta grows with powers of e^eps, "
        "delta(1 + e^eps) at two changes."
    ),
    repair=Repair(
        "(1, delta (e-1)/(e^eps-1)), which is at most (1, (e-1) delta/eps): delta/eps up to a constant.",
        (
            smt("p0 <= E^2*p2 + d*(1 + E)", CHAIN, says="two changes: delta(1 + e^eps)", **RANGE),
            smt(
                "E*(E^2*p + d*s) + d = E^3*p + d*(E*s + 1)",
                says="one more change: the sum becomes 1 + E times the sum",
                E="(1, inf)",
                p="[0, 1]",
                d="(0, 1)",
                s="[0, inf)",
            ),
            inequality(
                "(exp(1) - 1)/(exp(e) - 1) <= (exp(1) - 1)/e", says="the geometric sum over 1/eps changes", e="(0, 1]"
            ),
        ),
    ),
    survives="The lemma survives this step: delta/eps enters only up to constants.",
    twins=(
        smt("p0 <= E^2*p2 + 0.99*d*(1 + E)", CHAIN, says="two changes with 0.99 delta(1 + e^eps)", **RANGE),
        inequality("(exp(1) - 1)/(exp(e) - 1) <= 1/e", says="with 1/eps in place of (e-1)/eps", e="(0, 1]"),
    ),
)
