"""Theorem ut-pure-lower-bound."""

from __future__ import annotations

from panshuffle.proofs.statement import Constant, Statement
from panshuffle.proofs.steps import identity, kernel, smt

STATEMENT = Statement(
    label="thm:ut-pure-lower-bound",
    where="section 4.2, Theorem ut-pure-lower-bound",
    kind="theorem",
    printed="For eps = O(1) and alpha < 1/9, any (eps, 0, 1/3)-robustly shuffle private alpha-uniformity tester has sample complexity "
    "Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps)).",
    reading="Given Lemma ut-lower-bound-pan, which the paper cites: it is a premise of the kernel's theorem. k >= 2, as for that lemma; n is a multiple of 3, as in the transformation.",
    covers=("thm:ut-pure-lower-bound", "display-40"),
    steps=(kernel("paper-thm-ut-pure-lower-bound"),),
    constants=(Constant("1/9", twin="for alpha < 0.112", by="0.112"),),
    twins=(
        smt("9*a/2 < 1/2", ("a < 0.112",), says="for alpha < 0.112", a="(0, 1)"),
        identity("(9*a/2)^(-4/3) = (9/2)^(-4/3)*a^(-1)", says="with alpha^(-1) in the first term", a="(0, 1)"),
    ),
)
