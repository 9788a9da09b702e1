"""Figure 1, pan and robust shuffle, uniformity testing, lower bounds."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import smt

STATEMENT = Statement(
    where="Figure 1, pan and robust shuffle, uniformity testing, lower bounds",
    kind="figure",
    printed="Pan and robust shuffle, alpha-uniformity testing: Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps)) samples, for delta = 0 and eps = O(1).",
    reading=(
        "k >= 2 (for k = 1 there is only one distribution), alpha < 1/2 (pan) and alpha < 1/9 with gamma = 1/3 (robust shuffle), as in the lemma and in the "
        "theorem that the cells quote."
    ),
    rests_on=("uniformity-lower-bound-pan", "uniformity-lower-bound"),
    steps=(smt("9*a/2 < 1/2", ("a < 1/9",), says="alpha < 1/9 is what the transformation needs", a="(0, 1)"),),
    argument="The first cell is Lemma ut-lower-bound-pan, the second Theorem ut-pure-lower-bound, word for word.",
    twins=(
        smt("9*a/2 < 1/2", ("a < 0.112",), says="for alpha < 0.112", a="(0, 1)"),
        smt("9*a/2 < 0.48", ("a < 1/9",), says="9 alpha/2 < 0.48", a="(0, 1)"),
    ),
    constants=(Constant("1/9", twin="for alpha < 0.112", by="0.112"),),
)
