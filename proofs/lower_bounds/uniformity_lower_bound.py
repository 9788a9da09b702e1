"""Theorem ut-pure-lower-bound."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, smt

STATEMENT = Statement(
    label="thm:ut-pure-lower-bound",
    where="section 4.2, Theorem ut-pure-lower-bound",
    kind="theorem",
    printed=(
        "For eps = O(1) and alpha < 1/9, any (eps, 0, 1/3)-robustly shuffle private alpha-uniformity tester has sample complexity "
        "Omega(k^(2/3)/(alpha^(4/3) eps^(2/3)) + sqrt(k)/alpha^2 + 1/(alpha eps))."
    ),
    reading="k >= 2, as for the pan-private bound that it rests on; n is a multiple of 3, as in the transformation.",
    covers=("thm:ut-pure-lower-bound", "display-40"),
    rests_on=(
        "uniformity-transformation-privacy",
        "uniformity-transformation-accuracy",
        "uniformity-lower-bound-pan",
        "amplification",
    ),
    steps=(
        smt("9*a/2 < 1/2", ("a < 1/9",), says="alpha < 1/9 gives 9 alpha/2 < 1/2", a="(0, 1)"),
        identity("(9*a/2)^(-4/3) = (9/2)^(-4/3)*a^(-4/3)", says="the constant factor of the first term", a="(0, 1)"),
        identity("(9*a/2)^(-2) = (9/2)^(-2)*a^(-2)", says="of the second", a="(0, 1)"),
        identity("(9*a/2)^(-1) = (9/2)^(-1)*a^(-1)", says="and of the third", a="(0, 1)"),
    ),
    argument=(
        "Let P be such a tester on n samples. Q_P is eps-pan-private, takes n/3 samples, says 'not uniform' with probability at most 1/3 on uniform streams and at least 1/2 on streams at distance above 9 alpha/2. Run it r times, r a constant, on disjoint parts of a stream "
        "and compare the number of 'not uniform' with 5r/12; by the amplification of the separation 1/6 this is a 9 alpha/2-uniformity tester on r n/3 samples. It is eps-pan-private: a changed element enters one run only; what is seen of the other runs is independent of it, and the "
        "verdicts of the runs are part of the state. By the first step 9 alpha/2 < 1/2, so the pan-private lower bound holds for r n/3 with 9 alpha/2 in place of alpha, and by the other steps each term loses a constant factor."
    ),
    constants=(Constant("1/9", twin="for alpha < 0.112", by="0.112"),),
    twins=(
        smt("9*a/2 < 1/2", ("a < 0.112",), says="for alpha < 0.112", a="(0, 1)"),
        identity("(9*a/2)^(-4/3) = (9/2)^(-4/3)*a^(-1)", says="with alpha^(-1) in the first term", a="(0, 1)"),
    ),
)
