"""Lemma de-lower-bound-pan-2, its proof: composition across 1/eps copies."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Repair, Statement
from panshuffle.proofs.steps import inequality, kernel, kernel_refutation, smt

# Three datasets x0, x1, x2, each a neighbour of the next; P0, P1, P2 are the probabilities of one event.
CHAIN = ("p1 <= E*p2 + d", "p0 <= E*p1 + d")
RANGE = {"p0": "[0, 1]", "p1": "[0, 1]", "p2": "[0, 1]", "d": "(0, 1)", "E": "(1, inf)"}


STATEMENT = Statement(
    label="lem:de-lower-bound-pan-2",
    where="section 3.2, proof of Lemma de-lower-bound-pan-2: 'by composition across the 1/eps copies ... (1, delta/eps)'",
    kind="step",
    printed="If Q is (eps, delta)-pan-private, 1/eps a whole number, changing 1/eps elements at once is (1, delta/eps)-pan-private, 'by composition'.",
    severity="constant",
    steps=(
        kernel_refutation(
            "paper-group-privacy-step",
            "eps = 1/2, delta = 1/10, streams of two elements: the state is A with probability 9/10, else B; a special element moves A to B with probability e^(1/2)/9 and B to E; the output is constant. Neighbouring streams are (eps, delta)-close, but after two special elements the state is E with probability (1 + e^(1/2))/10 = 0.2648..., after none with 0, and e * 0 + 2 delta = 0.2",
        ),
    ),
    why="This is group privacy, not composition: the copies are changes of one input, and delta grows with powers of e^eps, "
    "delta(1 + e^eps) at two changes.",
    repair=Repair(
        "(k eps, delta (e^(k eps)-1)/(e^eps-1)) for k changes: (1, delta (e-1)/(e^eps-1)) for 1/eps of them, delta/eps up to a constant.",
        (kernel("paper-group-privacy-step-repaired"),),
    ),
    survives="The lemma survives this step: delta/eps enters only up to constants.",
    constants=(
        Constant("1", twin="two changes with 0.99 delta(1 + e^eps)", by="0.99"),
        Constant("exp(1) - 1", twin="with (e-1) 0.97/eps", by="(exp(1) - 1)*0.97"),
    ),
    twins=(
        smt("p0 <= E^2*p2 + 0.99*d*(1 + E)", CHAIN, says="two changes with 0.99 delta(1 + e^eps)", **RANGE),
        inequality("(exp(1) - 1)/(exp(e) - 1) <= 0.97*(exp(1) - 1)/e", says="with (e-1) 0.97/eps", e="(0, 1]"),
    ),
)
