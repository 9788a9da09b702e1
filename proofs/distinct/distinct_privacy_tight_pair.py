"""Theorem de_upper, Part I, at the loss of the pair of pools."""

from __future__ import annotations

from proofs.statement import Constant, Statement
from proofs.steps import identity, inequality, kernel, smt

STATEMENT = Statement(
    label="thm:de_upper",
    where="beside Theorem de_upper, Part I",
    kind="sharper",
    printed=(
        "P_DE is (ln(2e^eps' - 1), 4 delta/gamma, gamma)-robustly shuffle private, eps' = ln(1/(1 - (1-e^-eps)^gamma)): the printed delta at an eps that is less than 2 eps'."
    ),
    hypotheses=("as in Part I",),
    rests_on=(
        "pair-tight-epsilon",
        "common-factor",
        "total-variation-privacy",
        "ikos",
        "sigma-base",
        "eps-prime-case-1",
        "eps-prime-decreases",
    ),
    steps=(
        kernel("total-variation-privacy"),
        identity(
            "((2*D - 1) + 1)*(2*(d/(E + 1))) = 4*D*d/(E + 1)",
            says="(e^(loss) + 1) times twice 2^-sigma, D = e^eps'",
            D="(1, inf)",
            d="(0, 1)",
            E="(1, inf)",
        ),
        smt(
            "4*D*d/(E + 1) < 4*d/g",
            ("D <= E/g",),
            says="D <= e^eps/gamma makes it less than 4 delta/gamma",
            D="(1, inf)",
            d="(0, 1)",
            E="(1, inf)",
            g="(0, 1]",
        ),
    ),
    argument=(
        "Given the users' bits, the shuffled messages of each of the two pools that change are within 2^-sigma = delta/(e^eps+1) of those that depend on the sum only (ikos; one user's are equal), so the pair is within 2 * 2^-sigma, and the mixture over the bits, too. The latter are a random function of "
        "the pair of sums, ln(2e^eps' - 1)-private at most by pair-tight-epsilon. total-variation-privacy gives delta = (2e^eps' - 1 + 1) 2 delta/(e^eps+1), at most 4 delta/gamma by e^eps' <= e^eps/gamma (eps-prime-case-1). For more honest users eps' is no larger (eps-prime-decreases)."
    ),
    twins=(
        smt(
            "4*D*d/(E + 1) < 3.9*d/g",
            ("D <= E/g",),
            says="with 3.9 delta/gamma by this argument",
            D="(1, inf)",
            d="(0, 1)",
            E="(1, inf)",
            g="(0, 1]",
        ),
        inequality("log(2*exp(e) - 1) <= 1.9*e", says="the loss is at most 1.9 eps'", e="(0, inf)"),
    ),
    constants=(Constant("4", twin="with 3.9 delta/gamma by this argument", by="3.9"),),
)
