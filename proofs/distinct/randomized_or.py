"""Section 3.1: the central OR is eps-differentially private."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import kernel, smt

STATEMENT = Statement(
    where="section 3.1, the centrally private OR",
    kind="prose",
    printed="A basic centrally private solution to OR: output a sample from Ber(1/2) if OR(x) = 1, and a sample from Ber(1/(2e^eps)) otherwise.",
    reading="It is eps-differentially private, eps > 0.",
    steps=(kernel("randomized-or"),),
    constants=(Constant("1", twin="with e^eps less one per cent", by="0.99"),),
    twins=(
        smt("(1/2)/(1/(2*E)) <= 0.99*E", says="with e^eps less one per cent", E="(1, inf)"),
        smt("0.6/(1 - 1/(2*E)) <= E", says="with Ber(0.4) for OR = 1", E="(1, inf)"),
    ),
)
